import { crmActions, crmObjects } from '../../engine/effects/crm'
import { caps } from '../../engine/values/caps'
import { crmCaps } from '../../engine/values/crm'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ChoiceField, type ChoiceSource } from '../../src/text/form/ChoiceField'
import { ConnectionField } from '../../src/text/form/ConnectionField'
import { Details } from '../../src/text/form/Details'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import { finds, type HubspotRecordData, hubspotRecordSchema, makes, type NamedProperty, sets } from './schema'
import { TryRecord } from './TryRecord'

export default function HubspotRecordEditor(props: BlockEditorProps<HubspotRecordData>) {
  const { data } = props
  const { object, connection, outputs } = data
  const source: ChoiceSource = { connection, list: 'properties', within: [object] }
  return (
    <BlockForm editor={props} schema={hubspotRecordSchema}>
      <ConnectionField name="connection" vendor="hubspot" vendorName="HubSpot" />
      <SelectField name="object" options={crmObjects} preset />
      <SelectField name="action" options={crmActions} preset />
      {finds(data) && (
        <>
          <SelectField name="findBy" options={['property', 'id']} />
          {data.findBy === 'property' && <PropertyField name="findProperty" source={source} />}
          <DynamicField name="findValue" max={crmCaps.key} />
        </>
      )}
      {sets(data) && (
        <ListField
          name="fields"
          max={crmCaps.properties}
          cards
          create={(id) => ({ id: id(), property: null, value: staticValue('') })}
        >
          {(path) => (
            <>
              <PropertyField name={`${path}.property`} source={source} hiddenLabel />
              <DynamicField name={`${path}.value`} max={caps.setVariable} hiddenLabel />
            </>
          )}
        </ListField>
      )}
      {makes(data) && (
        <Details name="links" open={![data.contactId, data.companyId].every(isEmpty)}>
          {object !== 'contact' && <DynamicField name="contactId" max={crmCaps.id} />}
          {object !== 'company' && <DynamicField name="companyId" max={crmCaps.id} />}
        </Details>
      )}
      <TryRecord data={data} readOnly={props.readOnly} />
      <VariableField name="saveIdTo" />
      <Details name="more" open={outputs.length > 0 || data.saveUrlTo !== null}>
        <VariableField name="saveUrlTo" />
        <ListField
          name="outputs"
          max={crmCaps.properties}
          cards
          create={(id) => ({ id: id(), property: null, saveTo: null })}
        >
          {(path) => (
            <>
              <PropertyField name={`${path}.property`} source={source} hiddenLabel />
              <VariableField name={`${path}.saveTo`} hiddenLabel />
            </>
          )}
        </ListField>
      </Details>
    </BlockForm>
  )
}

const isEmpty = (value: HubspotRecordData['contactId']) => value.type === 'static' && value.value === ''

/** A property of the account's, with the values that it takes. */
function PropertyField({ name, source, hiddenLabel }: { name: string; source: ChoiceSource; hiddenLabel?: boolean }) {
  return (
    <ChoiceField<NamedProperty>
      name={name}
      source={source}
      choiceOf={(property) => property && { id: property.name, label: property.label }}
      toValue={({ id, label }) => ({ name: id, label })}
      hiddenLabel={hiddenLabel ?? false}
      details
    />
  )
}
