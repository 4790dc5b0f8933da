import type { RecordData } from '../../engine/crm/recordData'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { RecordForm } from '../../src/text/form/RecordForm'
import { salesforceRecordSchema, salesforceRules } from './schema'

export default function SalesforceRecordEditor(props: BlockEditorProps<RecordData>) {
  const vendor = { slug: 'salesforce', name: 'Salesforce' } as const
  return <RecordForm editor={props} schema={salesforceRecordSchema} rules={salesforceRules} vendor={vendor} />
}
