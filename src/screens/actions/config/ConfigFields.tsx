import { useDraft } from '../draft'
import { AppointmentFields } from './AppointmentFields'
import { BookingFields } from './BookingFields'
import { ButtonsFields } from './ButtonsFields'
import { HandOffFields } from './HandOffFields'
import { HttpFields } from './HttpFields'
import { LeadFormFields } from './LeadFormFields'
import { MailFields } from './MailFields'

/** The fields of the action's kind. */
export function ConfigFields() {
  const { action } = useDraft()
  switch (action.kind) {
    case 'buttons':
      return <ButtonsFields />
    case 'lead-form':
      return <LeadFormFields />
    case 'http-request':
      return <HttpFields />
    case 'send-email':
      return <MailFields />
    case 'booking':
      return <BookingFields />
    case 'appointment':
      return <AppointmentFields />
    case 'hand-off':
      return <HandOffFields />
  }
}
