import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { type HandOffData, handOffSchema } from './schema'

export default function HandOffEditor(props: BlockEditorProps<HandOffData>) {
  return (
    <BlockForm editor={props} schema={handOffSchema}>
      <DynamicField name="team" max={caps.label} />
      <DynamicField name="note" max={caps.setVariable} multiline />
      <RichTextField name="message" max={caps.text} />
    </BlockForm>
  )
}
