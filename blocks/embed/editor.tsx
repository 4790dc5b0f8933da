import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { NumberField } from '../../src/text/form/valueFields'
import { type EmbedData, embedSchema } from './schema'

export default function EmbedEditor(props: BlockEditorProps<EmbedData>) {
  return (
    <BlockForm editor={props} schema={embedSchema}>
      <DynamicField name="url" max={caps.url} />
      <DynamicField name="title" max={caps.cardTitle} />
      <NumberField name="height" />
    </BlockForm>
  )
}
