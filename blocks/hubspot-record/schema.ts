import { type RecordData, type RecordRules, recordDefaults, recordSchema } from '../../engine/crm/recordData'
import { idRule, ticketIdRule } from '../../engine/values/rules'

/** Ids are digits, and only what is new can be linked. */
export const hubspotRules: RecordRules = {
  id: (object) => (object === 'ticket' ? ticketIdRule : idRule),
  links: { contact: ['company'], company: ['contact'], ticket: ['contact', 'company'] },
  linksExisting: false,
}

export const hubspotRecordSchema = recordSchema(hubspotRules)
export const hubspotRecordDefaults = (): RecordData => recordDefaults({ name: 'email', label: 'Email' })
