import { ticketActions, ticketPriorities, ticketStates, ticketTypes } from '../../engine/effects/ticket'
import { caps } from '../../engine/values/caps'
import { isBlankValue, staticValue } from '../../engine/values/dynamicValue'
import { ticketCaps } from '../../engine/values/tickets'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ChoiceField } from '../../src/text/form/ChoiceField'
import { ConnectionField } from '../../src/text/form/ConnectionField'
import { Details } from '../../src/text/form/Details'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import {
  finds,
  type NamedField,
  type NamedPlace,
  sets,
  UNSET,
  type ZendeskTicketData,
  zendeskTicketSchema,
} from './schema'
import { TryTicket } from './TryTicket'

/** Where a ticket belongs, of what the account has. */
const places = [
  { name: 'group', list: 'groups' },
  { name: 'brand', list: 'brands' },
  { name: 'form', list: 'ticket-forms' },
] as const

export default function ZendeskTicketEditor(props: BlockEditorProps<ZendeskTicketData>) {
  const { data } = props
  const { connection, priority, type, status, tags, fields } = data
  const isDetailed =
    [priority, type, status].some((each) => each !== UNSET) ||
    places.some(({ name }) => data[name] !== null) ||
    !isBlankValue(tags) ||
    fields.length > 0
  return (
    <BlockForm editor={props} schema={zendeskTicketSchema}>
      <ConnectionField name="connection" vendor="zendesk" vendorName="Zendesk" />
      <SelectField name="action" options={ticketActions} preset />
      {finds(data) && <DynamicField name="ticketId" max={ticketCaps.id} />}
      {sets(data) && (
        <>
          <DynamicField name="subject" max={caps.ticketSubject} />
          <DynamicField name="body" max={ticketCaps.body} multiline />
          <SelectField name="visibility" options={['public', 'internal']} preset />
          <VariableField name="filesId" />
        </>
      )}
      {data.action === 'create' && (
        <>
          <DynamicField name="requesterName" max={caps.requester} />
          <DynamicField name="requesterEmail" max={caps.requester} />
        </>
      )}
      {sets(data) && (
        <Details name="details" open={isDetailed}>
          <SelectField name="priority" options={[UNSET, ...ticketPriorities]} preset />
          <SelectField name="type" options={[UNSET, ...ticketTypes]} preset />
          <SelectField name="status" options={[UNSET, ...ticketStates]} preset />
          {places.map(({ name, list }) => (
            <ChoiceField<NamedPlace>
              key={name}
              name={name}
              source={{ connection, list, within: [] }}
              choiceOf={(place) => place}
              toValue={({ id, label }) => ({ id, label })}
              empty={null}
            />
          ))}
          <DynamicField name="tags" max={caps.requester} />
          <ListField
            name="fields"
            max={ticketCaps.fields}
            cards
            create={(id) => ({ id: id(), field: null, value: staticValue('') })}
          >
            {(path) => (
              <>
                <ChoiceField<NamedField>
                  name={`${path}.field`}
                  source={{ connection, list: 'fields', within: [] }}
                  choiceOf={(field) => field}
                  toValue={({ id, label }) => ({ id, label })}
                  hiddenLabel
                  details
                />
                <DynamicField name={`${path}.value`} max={ticketCaps.value} hiddenLabel />
              </>
            )}
          </ListField>
        </Details>
      )}
      <TryTicket data={data} readOnly={props.readOnly} />
      <VariableField name="saveIdTo" />
      <Details name="more" open={data.saveUrlTo !== null || data.saveStatusTo !== null}>
        <VariableField name="saveUrlTo" />
        <VariableField name="saveStatusTo" />
      </Details>
    </BlockForm>
  )
}
