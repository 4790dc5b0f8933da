import { bookingCaps } from '../../engine/values/bookings'
import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ChoiceField } from '../../src/text/form/ChoiceField'
import { ConnectionField } from '../../src/text/form/ConnectionField'
import { Details } from '../../src/text/form/Details'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField } from '../../src/text/form/valueFields'
import { bookingWays, type CalendlyBookingData, calendlyBookingSchema } from './schema'

export default function CalendlyBookingEditor(props: BlockEditorProps<CalendlyBookingData>) {
  const { connection, way } = props.data
  const inChat = way === 'times'
  return (
    <BlockForm editor={props} schema={calendlyBookingSchema}>
      <ConnectionField name="connection" vendor="calendly" vendorName="Calendly" />
      <ChoiceField<CalendlyBookingData['eventType']>
        name="eventType"
        source={{ connection, list: 'event-types', within: [] }}
        choiceOf={(value) => value && { id: value.id, label: value.name }}
        toValue={({ id, label }) => ({ id, name: label })}
      />
      <SelectField name="way" options={bookingWays} preset />
      {inChat ? <RichTextField name="prompt" max={caps.text} /> : <RichTextField name="linkText" max={caps.text} />}
      <DynamicField name="name" max={bookingCaps.name} />
      <DynamicField name="email" max={bookingCaps.email} />
      {inChat && <DynamicField name="phone" max={bookingCaps.phone} />}
      <DynamicField name="timeZone" max={bookingCaps.timeZone} />
      {inChat && <NumberField name="times" />}
      <VariableField name="saveTimeTo" />
      <Details name="more" open={false}>
        <VariableField name="saveStartTo" />
        <VariableField name="saveRescheduleTo" />
        <VariableField name="saveCancelTo" />
        <VariableField name="saveStateTo" />
      </Details>
      <Details name="words" open={false}>
        {inChat && (
          <>
            <DynamicField name="moreLabel" max={caps.label} />
            <DynamicField name="nextDayLabel" max={caps.label} />
            <RichTextField name="takenText" max={caps.text} />
          </>
        )}
        <DynamicField name="skipLabel" max={caps.label} />
        {inChat && <RichTextField name="linkText" max={caps.text} />}
        <DynamicField name="linkLabel" max={caps.label} />
        <DynamicField name="bookedLabel" max={caps.label} />
        <RichTextField name="notYetText" max={caps.text} />
      </Details>
      <ListenFieldset />
    </BlockForm>
  )
}
