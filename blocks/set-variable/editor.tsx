import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import { needsValue } from './modes'
import { type SetVariableData, setVariableModes, setVariableSchema } from './schema'

export default function SetVariableEditor(props: BlockEditorProps<SetVariableData>) {
  return (
    <BlockForm editor={props} schema={setVariableSchema}>
      <VariableField name="variableId" needed />
      <SelectField name="mode" options={setVariableModes} />
      {needsValue(props.data.mode) && <DynamicField name="value" max={caps.setVariable} multiline />}
    </BlockForm>
  )
}
