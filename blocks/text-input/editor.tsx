import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { NumberField, ToggleField } from '../../src/text/form/valueFields'
import { type TextInputData, textInputSchema } from './schema'

export default function TextInputEditor(props: BlockEditorProps<TextInputData>) {
  return (
    <BlockForm editor={props} schema={textInputSchema}>
      <AnswerFields />
      <ToggleField name="long" />
      <FieldPair>
        <NumberField name="minLength" />
        <NumberField name="maxLength" />
      </FieldPair>
      <RetryFields />
    </BlockForm>
  )
}
