import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { RichTextField } from '../../src/text/form/textFields'
import { type TextData, textSchema } from './schema'

export default function TextEditor(props: BlockEditorProps<TextData>) {
  return (
    <BlockForm editor={props} schema={textSchema}>
      <RichTextField name="content" max={caps.text} />
    </BlockForm>
  )
}
