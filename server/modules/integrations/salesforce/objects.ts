import type { CrmObject } from '../../../../engine/effects/crm'

/** The version of Salesforce's interface. Three come a year, and each lives at least three years. */
export const VERSION = 'v66.0'

/** Paths of all calls, at the organisation's own host. */
export const BASE = `/services/data/${VERSION}`

/** What Salesforce calls its objects, and how their ids begin. */
export const objects: Readonly<Record<CrmObject, { name: string; prefix: string }>> = {
  contact: { name: 'Contact', prefix: '003' },
  company: { name: 'Account', prefix: '001' },
  ticket: { name: 'Case', prefix: '500' },
}

/** The fields by which records name others. */
export const linkFields: Readonly<Record<CrmObject, Partial<Record<CrmObject, string>>>> = {
  contact: { company: 'AccountId' },
  company: {},
  ticket: { contact: 'ContactId', company: 'AccountId' },
}
