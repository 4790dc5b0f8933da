import { useTranslation } from 'react-i18next'
import type { RecordData, RecordRules } from '../../../engine/crm/recordData'
import { recordRequest, recordVariables } from '../../../engine/crm/recordRequest'
import { useFlowScope } from '../flowScope'
import { TryCall } from './TryCall'

/** Does once what a block of a CRM does. */
export function TryRecord({ data, rules, readOnly }: { data: RecordData; rules: RecordRules; readOnly: boolean }) {
  const { t } = useTranslation('text')
  const send = useFlowScope().connections?.tryCrm
  if (!send || readOnly) return null
  return (
    <TryCall
      reads={recordVariables(data, rules)}
      request={(values) => recordRequest(data, rules, values)}
      send={send}
      present={({ ok, error, id, url, fields }) => {
        if (!ok) return { problem: !error || error === 'not-found' ? t('record.notFound') : error }
        const text = data.action === 'search' ? 'record.found' : 'record.done'
        return { text: t(text, { id }), details: JSON.stringify({ id, url, ...fields }, null, 2) }
      }}
    />
  )
}
