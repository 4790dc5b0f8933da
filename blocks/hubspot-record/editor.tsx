import type { RecordData } from '../../engine/crm/recordData'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { RecordForm } from '../../src/text/form/RecordForm'
import { hubspotRecordSchema, hubspotRules } from './schema'

export default function HubspotRecordEditor(props: BlockEditorProps<RecordData>) {
  const vendor = { slug: 'hubspot', name: 'HubSpot' } as const
  return <RecordForm editor={props} schema={hubspotRecordSchema} rules={hubspotRules} vendor={vendor} />
}
