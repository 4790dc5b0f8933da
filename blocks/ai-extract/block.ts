import { aiExtractEffect, type ExtractCall } from '../../engine/effects/aiExtract'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { call, note, read, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { readExtracted } from '../../engine/values/extractFields'
import { renderText } from '../../engine/values/render'
import { aiExtractFromDify } from './fromDify'
import { aiExtractFromFlowise } from './fromFlowise'
import { aiExtractFromTypebot } from './import'
import { type AiExtractData, aiExtractDefaults, aiExtractSchema, type ExtractedField } from './schema'

/**
 * Extracts typed values from the visitor's messages into variables; variables whose value was not found stay as they
 * are. Leaves by `not-found` if nothing was found.
 */
export const aiExtract = defineBlock({
  kind: 'ai-extract',
  category: 'ai',
  title: 'AI extract',
  help: 'Extracts names, dates, addresses and more from messages.',
  schema: aiExtractSchema,
  defaults: aiExtractDefaults,
  ports: () => [{ id: 'next' }, { id: 'not-found', label: 'Not found', fallback: 'next' }],
  reads: (data) => (data.from === 'text' ? dynamicValueVariables(data.text) : []),
  writes: savedTo,
  // with several fields, any may be missing
  assures: (data, portId) => (portId === 'next' && data.fields.length === 1 ? savedTo(data) : []),
  problems: ({ fields }) =>
    fields.length === 0 ? [{ path: 'fields', message: 'Add what to extract' }] : fields.flatMap(problemsOf),
  importers: [aiExtractFromTypebot, aiExtractFromDify, aiExtractFromFlowise],
  *run(data) {
    const text = data.from === 'text' ? renderText(data.text, yield* read()) : null
    const fields = data.fields.map(askedFor)
    const extraction = yield* call(aiExtractEffect, { text, messages: data.messages, fields })
    if (!extraction.ok) {
      yield* note(extraction.error)
      return 'not-found'
    }
    if (extraction.note !== undefined) yield* note(extraction.note)
    for (const [index, { id, saveTo }] of data.fields.entries()) {
      const field = fields[index]
      const value = field ? readExtracted(field, extraction.values[id] ?? null) : null
      if (saveTo !== null && value !== null) yield* setVariable(saveTo, value)
    }
    return extraction.found ? 'next' : 'not-found'
  },
})

function savedTo({ fields }: AiExtractData): string[] {
  return fields.flatMap(({ saveTo }) => saveTo ?? [])
}

const askedFor = ({ id, name, type, description, choices }: ExtractedField): ExtractCall['fields'][number] => ({
  id,
  name,
  type,
  description,
  choices: type === 'choice' ? choices.map(({ label }) => label).filter((label) => label.trim() !== '') : [],
})

function problemsOf({ name, type, choices, saveTo }: ExtractedField, index: number): FieldProblem[] {
  const at = `fields.${index}`
  return [
    ...(name.trim() === '' ? [{ path: `${at}.name`, message: 'Enter what to extract' }] : []),
    ...(type === 'choice' && choices.every(({ label }) => label.trim() === '')
      ? [{ path: `${at}.choices`, message: 'Add choices' }]
      : []),
    ...(saveTo === null
      ? [
          {
            path: `${at}.saveTo`,
            message: `Choose a variable for ${name.trim() === '' ? 'what is found' : `“${name.trim()}”`}`,
          },
        ]
      : []),
  ]
}
