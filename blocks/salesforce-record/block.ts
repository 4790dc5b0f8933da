import { recordBlock } from '../../engine/crm/runRecord'
import { defineBlock } from '../../engine/flow/defineBlock'
import { salesforceRecordDefaults, salesforceRecordSchema, salesforceRules } from './schema'

/** Creates, changes or finds a contact, an account or a case in Salesforce. */
export const salesforceRecord = defineBlock({
  ...recordBlock(salesforceRules),
  kind: 'salesforce-record',
  title: 'Salesforce',
  help: 'Creates, updates or finds a contact, account or case.',
  schema: salesforceRecordSchema,
  defaults: salesforceRecordDefaults,
})
