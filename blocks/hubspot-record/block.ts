import { recordBlock } from '../../engine/crm/runRecord'
import { defineBlock } from '../../engine/flow/defineBlock'
import { hubspotRecordDefaults, hubspotRecordSchema, hubspotRules } from './schema'

/** Creates, changes or finds a contact, a company or a ticket in HubSpot. */
export const hubspotRecord = defineBlock({
  ...recordBlock(hubspotRules),
  kind: 'hubspot-record',
  title: 'HubSpot',
  help: 'Creates, updates or finds a contact, company or ticket.',
  schema: hubspotRecordSchema,
  defaults: hubspotRecordDefaults,
})
