import { useTranslation } from 'react-i18next'
import { useFlowScope } from '../../src/text/flowScope'
import { TryCall } from '../../src/text/form/TryCall'
import { sheetRequest, variablesOf } from './request'
import type { SheetRowData } from './schema'

/** Rows that are shown of what came. */
const SHOWN = 20

/** Does once what the block does. */
export function TrySheet({ data, readOnly }: { data: SheetRowData; readOnly: boolean }) {
  const { t } = useTranslation('blocks')
  const send = useFlowScope().connections?.trySheet
  if (!send || readOnly) return null
  return (
    <TryCall
      reads={variablesOf(data)}
      request={(values) => sheetRequest(data, values)}
      send={send}
      present={({ ok, error, rows, numbers }) => {
        if (!ok) return { problem: !error || error === 'not-found' ? t('sheet-row.test.notFound') : error }
        if (data.action === 'add') return { text: t('sheet-row.test.added') }
        const text = data.action === 'get' ? 'sheet-row.test.found' : 'sheet-row.test.changed'
        const details = rows.length > 0 ? JSON.stringify(rows.slice(0, SHOWN), null, 2) : ''
        return { text: t(text, { count: numbers.length }), details }
      }}
    />
  )
}
