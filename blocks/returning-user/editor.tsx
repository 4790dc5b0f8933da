import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField } from '../../src/text/form/valueFields'
import { type ReturningUserData, returningUserSchema } from './schema'

export default function ReturningUserEditor(props: BlockEditorProps<ReturningUserData>) {
  return (
    <BlockForm editor={props} schema={returningUserSchema}>
      <NumberField name="days" />
      <VariableField name="saveDays" />
    </BlockForm>
  )
}
