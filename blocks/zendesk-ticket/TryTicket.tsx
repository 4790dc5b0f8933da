import { useTranslation } from 'react-i18next'
import { useFlowScope } from '../../src/text/flowScope'
import { TryCall } from '../../src/text/form/TryCall'
import { ticketRequest, variablesOf } from './request'
import type { ZendeskTicketData } from './schema'

/** Does once what the block does. */
export function TryTicket({ data, readOnly }: { data: ZendeskTicketData; readOnly: boolean }) {
  const { t } = useTranslation('blocks')
  const send = useFlowScope().connections?.tryTicket
  if (!send || readOnly) return null
  return (
    <TryCall
      reads={variablesOf(data)}
      request={(values) => ticketRequest(data, values)}
      send={send}
      present={({ ok, error, id, url, status }) => {
        if (!ok) return { problem: !error || error === 'not-found' ? t('zendesk-ticket.test.notFound') : error }
        const text = data.action === 'get' ? 'zendesk-ticket.test.found' : 'zendesk-ticket.test.done'
        return { text: t(text, { id }), details: JSON.stringify({ id, url, status }, null, 2) }
      }}
    />
  )
}
