import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { ListField } from '../../src/text/form/ListField'
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
            </Details>
          </>
        )}
      </ListField>
      <VariableField name="saveTo" />
      <ToggleField name="multiple" />
      <ToggleField name="typing" />
      {props.data.typing && <DynamicField name="placeholder" max={caps.placeholder} />}
    </BlockForm>
  )
}

/** Does the option hold more than its label? */
function hasDetails(data: ButtonsData, index: number): boolean {
  const option = data.options[index]
  return [option?.value, option?.url].some((value) => value && (value.type === 'dynamic' || value.value !== ''))
}
