// A kind of block that stores a text in a variable: schema, run, face, form, texts, test.
import { camel, pascal, sentence, words } from './names.mjs'

/** @returns the new files, changes to lists, and next steps */
export function block(name) {
  const home = `blocks/${name}`
  return {
    files: {
      [`${home}/schema.ts`]: schema(name),
      [`${home}/block.ts`]: runtime(name),
      [`${home}/block.test.ts`]: test(name),
      [`${home}/face.tsx`]: face(name),
      [`${home}/editor.tsx`]: editor(name),
      [`${home}/en.json`]: texts(name, english),
      [`${home}/de.json`]: texts(name, german),
    },
    lists: { 'blocks/kinds.ts': (text) => listed(text, name) },
    next: `Write what the block does in ${home}/block.ts (run), and what it is called in ${home}/en.json and de.json. Then: npm run check, and npm test -- ${home} tests/contract/blocks.test.ts`,
  }
}

/** In the palette it comes before kinds that close a conversation. */
const listed = (text, name) =>
  `import { ${camel(name)} } from './${name}/block'\n${text.replace(/\n {2}end,\n/, `\n  ${camel(name)},\n  end,\n`)}`

const schema = (name) => `import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { isReservedId } from '../../engine/values/systemVariables'

export const ${camel(name)}Schema = z.strictObject({
  value: dynamicValueSchema(caps.setVariable),
  /** where the value is kept; null: nowhere yet */
  saveTo: idSchema.nullable().refine((id) => id === null || !isReservedId(id), 'System variables can’t be set'),
})
export type ${pascal(name)}Data = z.infer<typeof ${camel(name)}Schema>

export const ${camel(name)}Defaults = (): ${pascal(name)}Data => ({ value: staticValue(''), saveTo: null })
`

const runtime = (name) => `import { defineBlock } from '../../engine/flow/defineBlock'
import { render, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { ${camel(name)}Defaults, ${camel(name)}Schema } from './schema'

/** Keeps a text in a variable; without one chosen it does nothing. */
export const ${camel(name)} = defineBlock({
  kind: '${name}',
  category: 'logic',
  title: '${sentence(name)}',
  help: 'Keeps a text in a variable.',
  schema: ${camel(name)}Schema,
  defaults: ${camel(name)}Defaults,
  // what visitors may read of it can be translated
  visitorTexts: ['value'],
  ports: () => [{ id: 'next' }],
  reads: ({ value }) => dynamicValueVariables(value),
  writes: ({ saveTo }) => (saveTo === null ? [] : [saveTo]),
  problems: ({ saveTo }) => (saveTo === null ? [{ path: 'saveTo', message: 'Choose a variable' }] : []),
  *run({ value, saveTo }) {
    if (saveTo !== null) yield* setVariable(saveTo, yield* render(value))
    return 'next'
  },
})
`

const test = (name) => `import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'
import { ${camel(name)}Defaults } from './schema'

const run = (change: object) => runKind('${name}', { ...${camel(name)}Defaults(), ...change }, { variables: { v: 'before' } })

test('keeps its text in the variable', () => {
  const { port, variables } = run({ value: { type: 'static', value: 'after' }, saveTo: 'v' })
  expect([port, variables.v]).toEqual(['next', 'after'])
})

test('without a variable it changes nothing', () => {
  const { port, variables } = run({ value: { type: 'static', value: 'after' } })
  expect([port, variables.v]).toEqual(['next', 'before'])
})
`

const face = (name) => `import { Box } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FaceText } from '../../src/text/face/FaceText'
import { Chip } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ${pascal(name)}Data } from './schema'

function ${pascal(name)}Face({ data, names }: FaceProps<${pascal(name)}Data>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceText lines={1} faint={data.saveTo === null}>
      {data.saveTo === null ? t('${name}.face.empty') : <Chip name={names.variable(data.saveTo)} />}
    </FaceText>
  )
}

export const face: BlockFace<${pascal(name)}Data> = {
  icon: Box,
  height: () => faceMetrics.line,
  Component: ${pascal(name)}Face,
}
`

const editor = (name) => `import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { type ${pascal(name)}Data, ${camel(name)}Schema } from './schema'

export default function ${pascal(name)}Editor(props: BlockEditorProps<${pascal(name)}Data>) {
  return (
    <BlockForm editor={props} schema={${camel(name)}Schema}>
      <DynamicField name="value" max={caps.setVariable} multiline />
      <VariableField name="saveTo" />
    </BlockForm>
  )
}
`

const english = {
  help: 'Keeps a text in a variable.',
  empty: 'No variable chosen',
  value: 'Value',
  text: 'Text',
  saveTo: 'Save to',
  none: 'None',
}
const german = {
  help: 'Legt einen Text in einer Variablen ab.',
  empty: 'Keine Variable gewählt',
  value: 'Wert',
  text: 'Text',
  saveTo: 'Speichern in',
  none: 'Keine',
}

const texts = (name, { help, empty, value, text, saveTo, none }) =>
  `${JSON.stringify(
    {
      title: sentence(name),
      help,
      keywords: words(name),
      face: { empty },
      fields: {
        value: { label: value, placeholder: text },
        saveTo: { label: saveTo, placeholder: none },
      },
    },
    null,
    2,
  )}\n`
