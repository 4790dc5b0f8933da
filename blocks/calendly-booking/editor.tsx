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
import { NumberField } from '../../src/text/form/valueFields'
import { type CalendlyBookingData, calendlyBookingSchema } from './schema'

export default function CalendlyBookingEditor(props: BlockEditorProps<CalendlyBookingData>) {
  const { connection } = props.data
  return (
    <BlockForm editor={props} schema={calendlyBookingSchema}>
      <ConnectionField name="connection" vendor="calendly" vendorName="Calendly" />
      <ChoiceField<CalendlyBookingData['eventType']>
        name="eventType"
        source={{ connection, list: 'event-types', within: [] }}
        choiceOf={(value) => value && { id: value.id, label: value.name }}
        toValue={({ id, label }) => ({ id, name: label })}
      />
      <RichTextField name="prompt" max={caps.text} />
      <DynamicField name="name" max={bookingCaps.name} />
      <DynamicField name="email" max={bookingCaps.email} />
      <DynamicField name="phone" max={bookingCaps.phone} />
      <DynamicField name="timeZone" max={bookingCaps.timeZone} />
      <NumberField name="times" />
      <VariableField name="saveTimeTo" />
      <Details name="more" open={false}>
        <VariableField name="saveStartTo" />
        <VariableField name="saveRescheduleTo" />
        <VariableField name="saveCancelTo" />
      </Details>
      <Details name="words" open={false}>
        <DynamicField name="moreLabel" max={caps.label} />
        <DynamicField name="nextDayLabel" max={caps.label} />
        <DynamicField name="skipLabel" max={caps.label} />
        <RichTextField name="takenText" max={caps.text} />
      </Details>
      <ListenFieldset />
    </BlockForm>
  )
}
