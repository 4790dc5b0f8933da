import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { VariableField } from '../../src/text/form/VariableField'
import { type LocationInputData, locationInputSchema } from './schema'

export default function LocationInputEditor(props: BlockEditorProps<LocationInputData>) {
  return (
    <BlockForm editor={props} schema={locationInputSchema}>
      <AnswerFields />
      <VariableField name="savePointTo" />
      <RetryFields />
    </BlockForm>
  )
}
