import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { FieldPair } from '../../src/text/form/FieldPair'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { OptionalCondition } from '../../src/text/form/OptionalCondition'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { ToggleField } from '../../src/text/form/valueFields'
import { type ButtonsData, buttonsSchema } from './schema'

export default function ButtonsEditor(props: BlockEditorProps<ButtonsData>) {
  return (
    <BlockForm editor={props} schema={buttonsSchema}>
      <RichTextField name="prompt" max={caps.text} />
      <ListField name="options" max={counts.options} create={(id) => ({ id: id(), label: staticValue('') })}>
        {(path, index) => (
          <>
            <DynamicField name={`${path}.label`} max={caps.label} hiddenLabel />
            <Details name="options-more" open={hasDetails(props.data, index)}>
              <DynamicField name={`${path}.value`} max={caps.optionValue} />
              <DynamicField name={`${path}.url`} max={caps.url} />
              <OptionalCondition name={`${path}.condition`} />
            </Details>
          </>
        )}
      </ListField>
      <Details name="list" open={props.data.list.variableId !== null}>
        <VariableField name="list.variableId" />
        <FieldPair>
          <LineField name="list.labelPath" />
          <LineField name="list.valuePath" />
        </FieldPair>
      </Details>
      <VariableField name="saveTo" />
      <ToggleField name="multiple" />
      <ToggleField name="typing" />
      {props.data.typing && <DynamicField name="placeholder" max={caps.placeholder} />}
      <ListenFieldset />
    </BlockForm>
  )
}

/** Whether the option has more than a label. */
function hasDetails(data: ButtonsData, index: number): boolean {
  const option = data.options[index]
  if (option?.condition) return true
  return [option?.value, option?.url].some((value) => value && (value.type === 'dynamic' || value.value !== ''))
}
