import { useTranslation } from 'react-i18next'
import { useFlowScope } from '../../src/text/flowScope'
import { TryCall } from '../../src/text/form/TryCall'
import { crmRequest, variablesOf } from './request'
import type { HubspotRecordData } from './schema'

/** Does once what the block does. */
export function TryRecord({ data, readOnly }: { data: HubspotRecordData; readOnly: boolean }) {
  const { t } = useTranslation('blocks')
  const send = useFlowScope().connections?.tryCrm
  if (!send || readOnly) return null
  return (
    <TryCall
      reads={variablesOf(data)}
      request={(values) => crmRequest(data, values)}
      send={send}
      present={({ ok, error, id, url, fields }) => {
        if (!ok) return { problem: !error || error === 'not-found' ? t('hubspot-record.test.notFound') : error }
        const text = data.action === 'search' ? 'hubspot-record.test.found' : 'hubspot-record.test.done'
        return { text: t(text, { id }), details: JSON.stringify({ id, url, ...fields }, null, 2) }
      }}
    />
  )
}
