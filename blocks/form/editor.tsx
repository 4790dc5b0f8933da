import { formFieldTypes } from '../../engine/flow/conversation'
import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField, ToggleField } from '../../src/text/form/valueFields'
import { type FormData, type FormField, formSchema, hasChoices, newFormField } from './schema'

export default function FormEditor(props: BlockEditorProps<FormData>) {
  return (
    <BlockForm editor={props} schema={formSchema}>
      <RichTextField name="prompt" max={caps.text} />
      <ListField name="fields" max={counts.formFields} create={newFormField} cards>
        {(path, index) => <OneField path={path} field={props.data.fields[index]} />}
      </ListField>
      <DynamicField name="submitLabel" max={caps.label} />
      <ToggleField name="required" />
      <ListenFieldset />
    </BlockForm>
  )
}

function OneField({ path, field }: { path: string; field: FormField | undefined }) {
  if (!field) return null
  return (
    <>
      <DynamicField name={`${path}.label`} max={caps.formLabel} hiddenLabel />
      <SelectField name={`${path}.type`} options={formFieldTypes} hiddenLabel />
      {hasChoices(field) && (
        <ListField
          name={`${path}.choices`}
          max={counts.formChoices}
          create={(id) => ({ id: id(), label: staticValue('') })}
        >
          {(place) => <DynamicField name={`${place}.label`} max={caps.formChoice} hiddenLabel />}
        </ListField>
      )}
      <VariableField name={`${path}.saveTo`} hiddenLabel />
      <ToggleField name={`${path}.required`} />
      {field.type !== 'checkbox' && field.type !== 'multiple' && (
        <Details name="fields-more" open={field.placeholder.type === 'dynamic' || field.placeholder.value !== ''}>
          <DynamicField name={`${path}.placeholder`} max={caps.placeholder} hiddenLabel />
        </Details>
      )}
    </>
  )
}
