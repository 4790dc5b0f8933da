import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField } from '../../src/text/form/valueFields'
import { unitNames, type WaitData, waitSchema } from './schema'

export default function WaitEditor(props: BlockEditorProps<WaitData>) {
  return (
    <BlockForm editor={props} schema={waitSchema}>
      {props.data.variableId === null ? (
        <FieldPair>
          <NumberField name="amount" />
          <SelectField name="unit" options={unitNames} />
        </FieldPair>
      ) : (
        <SelectField name="unit" options={unitNames} />
      )}
      <VariableField name="variableId" />
    </BlockForm>
  )
}
