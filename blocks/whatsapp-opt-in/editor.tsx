import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { SelectField } from '../../src/text/form/valueFields'
import { answers, MOST_WORDS, type WhatsappOptInData, whatsappOptInSchema } from './schema'

export default function WhatsappOptInEditor(props: BlockEditorProps<WhatsappOptInData>) {
  return (
    <BlockForm editor={props} schema={whatsappOptInSchema}>
      <SelectField name="answer" options={answers} preset />
      {props.data.answer === 'agrees' && <DynamicField name="question" max={MOST_WORDS} multiline />}
    </BlockForm>
  )
}
