import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { NumberField, ToggleField } from '../../src/text/form/valueFields'
import { type NumberInputData, numberInputSchema } from './schema'

export default function NumberInputEditor(props: BlockEditorProps<NumberInputData>) {
  return (
    <BlockForm editor={props} schema={numberInputSchema}>
      <AnswerFields />
      <FieldPair>
        <NumberField name="min" optional />
        <NumberField name="max" optional />
      </FieldPair>
      <ToggleField name="integer" />
      <RetryFields />
    </BlockForm>
  )
}
