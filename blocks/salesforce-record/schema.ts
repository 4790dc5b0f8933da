import { type RecordData, type RecordRules, recordDefaults, recordSchema } from '../../engine/crm/recordData'
import { salesforceIdRule } from '../../engine/values/rules'

/** A contact names its account, a case names both, and that can be changed at any time. */
export const salesforceRules: RecordRules = {
  vendor: 'salesforce',
  id: () => salesforceIdRule,
  links: { contact: ['company'], company: [], ticket: ['contact', 'company'] },
  linksExisting: true,
}

export const salesforceRecordSchema = recordSchema(salesforceRules)
export const salesforceRecordDefaults = (): RecordData => recordDefaults({ name: 'Email', label: 'Email' })
