import { caps } from '../../engine/values/caps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ExpressionField } from '../../src/text/form/ExpressionField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import { needsValue, takesItem } from './modes'
import { type SetVariableData, setVariableModes, setVariableSchema } from './schema'

export default function SetVariableEditor(props: BlockEditorProps<SetVariableData>) {
  return (
    <BlockForm editor={props} schema={setVariableSchema}>
      <VariableField name="variableId" needed />
      <SelectField
        name="mode"
        options={setVariableModes}
        leadsToText={(picked) =>
          isBlankValue(props.data.value) && setVariableModes.some((mode) => mode === picked && needsValue(mode))
        }
      />
      {props.data.mode === 'expression' ? (
        <ExpressionField name="value" max={caps.setVariable} />
      ) : (
        needsValue(props.data.mode) && <DynamicField name="value" max={caps.setVariable} multiline />
      )}
      {takesItem(props.data.mode) && <VariableField name="takeTo" />}
    </BlockForm>
  )
}
