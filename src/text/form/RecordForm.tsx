import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import {
  finds,
  linksOf,
  makes,
  type NamedProperty,
  type RecordData,
  type RecordRules,
  sets,
} from '../../../engine/crm/recordData'
import { crmActions, crmObjects } from '../../../engine/effects/crm'
import { caps } from '../../../engine/values/caps'
import { crmCaps } from '../../../engine/values/crm'
import { staticValue } from '../../../engine/values/dynamicValue'
import type { VendorSlug } from '../../../server/contracts/integrations'
import type { BlockEditorProps } from '../blockEditor'
import { BlockForm } from './BlockForm'
import { ChoiceField } from './ChoiceField'
import { ConnectionField } from './ConnectionField'
import { Details } from './Details'
import { FormNote } from './FormNote'
import { ListField } from './ListField'
import { TryRecord } from './TryRecord'
import { DynamicField } from './textFields'
import { type ChoiceSource, useChoices } from './useChoices'
import { VariableField } from './VariableField'
import { SelectField } from './valueFields'

interface RecordFormProps {
  editor: BlockEditorProps<RecordData>
  schema: z.ZodType<RecordData>
  rules: RecordRules
  vendor: { slug: VendorSlug; name: string }
}

/** The form of a block that creates, updates or finds a record of a CRM. */
export function RecordForm({ editor, schema, rules, vendor }: RecordFormProps) {
  const { data, readOnly } = editor
  const { object, connection, outputs } = data
  const source: ChoiceSource = { connection, list: 'properties', within: [object] }
  const links = linksOf(data, rules)
  return (
    <BlockForm editor={editor} schema={schema}>
      <ConnectionField name="connection" vendor={vendor.slug} vendorName={vendor.name} />
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
      {makes(data) && !readOnly && <MissingNote data={data} source={source} />}
      {links.length > 0 && (
        <Details name="links" open={![data.contactId, data.companyId].every(isEmpty)}>
          {links.map((link) => (
            <DynamicField key={link.object} name={`${link.object}Id`} max={crmCaps.id} />
          ))}
        </Details>
      )}
      <TryRecord data={data} rules={rules} readOnly={readOnly} />
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

const isEmpty = (value: RecordData['contactId']) => value.type === 'static' && value.value === ''

/** What the vendor asks of a new record, and the block does not set yet. */
function MissingNote({ data, source }: { data: RecordData; source: ChoiceSource }) {
  const { t } = useTranslation('text')
  const { choices } = useChoices(source, '', true)
  const set = new Set(data.fields.map(({ property }) => property?.name))
  if (finds(data) && data.findBy === 'property') set.add(data.findProperty?.name)
  const missing = choices.filter(({ id, required }) => required && !set.has(id))
  if (missing.length === 0) return null
  return <FormNote warns>{t('record.required', { names: missing.map(({ label }) => label).join(', ') })}</FormNote>
}

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
