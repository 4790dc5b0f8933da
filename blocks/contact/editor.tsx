import { contactCaps } from '../../engine/values/caps'
import { contactFieldCap, contactKeys, customFieldCaps } from '../../engine/values/contactFields'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import { type ContactData, contactActions, contactSchema, mappableFields, onDuplicateModes, setsFields } from './schema'

const MAX = 50

export default function ContactEditor(props: BlockEditorProps<ContactData>) {
  const { data } = props
  return (
    <BlockForm editor={props} schema={contactSchema}>
      <SelectField name="action" options={contactActions} />
      <SelectField name="key" options={contactKeys} />
      <DynamicField name="keyValue" max={contactCaps.email} />
      {data.action === 'create' && <SelectField name="onDuplicate" options={onDuplicateModes} />}
      {setsFields(data) && (
        <ListField
          name="fields"
          max={MAX}
          cards
          create={(id) => ({ id: id(), field: 'name', name: staticValue(''), value: staticValue('') })}
        >
          {(path, index) => <SetField path={path} field={data.fields[index]?.field ?? 'name'} />}
        </ListField>
      )}
      {data.action === 'get' && (
        <ListField
          name="outputs"
          max={MAX}
          cards
          create={(id) => ({ id: id(), field: 'name', name: staticValue(''), saveTo: null })}
        >
          {(path, index) => (
            <>
              <SelectField name={`${path}.field`} options={mappableFields} hiddenLabel />
              {data.outputs[index]?.field === 'custom' && (
                <DynamicField name={`${path}.name`} max={customFieldCaps.name} hiddenLabel />
              )}
              <VariableField name={`${path}.saveTo`} hiddenLabel />
            </>
          )}
        </ListField>
      )}
      {data.action !== 'delete' && <VariableField name="saveIdTo" />}
    </BlockForm>
  )
}

function SetField({ path, field }: { path: string; field: ContactData['fields'][number]['field'] }) {
  const cap = field === 'custom' ? customFieldCaps.value : contactFieldCap(field)
  return (
    <>
      <SelectField name={`${path}.field`} options={mappableFields} hiddenLabel />
      {field === 'custom' && <DynamicField name={`${path}.name`} max={customFieldCaps.name} hiddenLabel />}
      <DynamicField name={`${path}.value`} max={cap} hiddenLabel />
    </>
  )
}
