import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Lead, type LeadStatus, leadStatuses } from '../../../server/contracts/leads'
import { failureText } from '../../api/failure'
import { useLeadChange } from '../../api/leads'
import type { ChatbotPlace } from '../../api/webSettings'
import { formatNumber, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { notify } from '../../ui/notify'
import { titleOf } from './LeadTable'
import styles from './leads.module.css'

const DRAGGED = 'application/x-parley-lead'

/** Leads as cards, a column for each status; moved by dragging, or by the arrow keys on a card. */
export function LeadBoard({
  place,
  leads,
  counts,
  readOnly,
}: {
  place: ChatbotPlace
  leads: readonly Lead[]
  counts: Readonly<Record<LeadStatus, number>>
  readOnly: boolean
}) {
  const { t } = useTranslation('leads')
  const { t: common } = useTranslation()
  const mutation = useLeadChange(place)
  const hint = useId()
  const [over, setOver] = useState<LeadStatus | null>(null)
  const [said, setSaid] = useState('')
  /** The card that a key has moved: in its new column it is another element, which the next key must reach. */
  const moved = useRef('')
  // shown at its new place while it is saved
  const moving = mutation.isPending ? mutation.variables : undefined
  const statusOf = (lead: Lead): LeadStatus => (lead.gid === moving?.gid && moving.status) || lead.status

  function move(gid: string, status: LeadStatus): void {
    const lead = leads.find((each) => each.gid === gid)
    if (!lead || statusOf(lead) === status) return
    setSaid(t('moved', { name: titleOf(lead), status: t(`statuses.${status}`) }))
    mutation.mutate({ gid, status }, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
  }
  function onKey(event: KeyboardEvent, lead: Lead): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const status = leadStatuses[leadStatuses.indexOf(statusOf(lead)) + step]
    if (step === 0 || readOnly || !status) return
    event.preventDefault()
    moved.current = lead.gid
    move(lead.gid, status)
  }
  return (
    <>
      <p id={hint} className={styles.hint}>
        {readOnly ? null : t('boardHint')}
      </p>
      <div className={styles.board}>
        {leadStatuses.map((status) => (
          <section
            key={status}
            className={styles.column}
            aria-label={t(`statuses.${status}`)}
            data-over={over === status || undefined}
            onDragOver={(event) => {
              if (readOnly || !event.dataTransfer.types.includes(DRAGGED)) return
              event.preventDefault()
              setOver(status)
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => {
              event.preventDefault()
              setOver(null)
              move(event.dataTransfer.getData(DRAGGED), status)
            }}
          >
            <h2 className={styles.columnTitle}>
              {t(`statuses.${status}`)} <span>{formatNumber(counts[status])}</span>
            </h2>
            <ul className={styles.cards}>
              {leads
                .filter((lead) => statusOf(lead) === status)
                .map((lead) => (
                  <li
                    key={lead.gid}
                    draggable={!readOnly}
                    className={styles.leadCard}
                    onDragStart={(event) => event.dataTransfer.setData(DRAGGED, lead.gid)}
                  >
                    <button
                      ref={(element) => {
                        if (!element || moved.current !== lead.gid || document.activeElement === element) return
                        moved.current = ''
                        element.focus()
                      }}
                      type="button"
                      className={styles.leadName}
                      aria-describedby={hint}
                      onKeyDown={(event) => onKey(event, lead)}
                    >
                      {titleOf(lead)}
                    </button>
                    {[lead.email, lead.phone]
                      .filter((line) => line && line !== titleOf(lead))
                      .map((line) => (
                        <span key={line}>{line}</span>
                      ))}
                    <span className={styles.cardFoot}>
                      <Badge>{t(`sources.${lead.source}`)}</Badge>
                      {lead.owner && <span>{lead.owner.name}</span>}
                      {lead.conversation ? (
                        <Link
                          to={`/projects/${place.pgid}/chatbots/${place.cgid}/conversations/${lead.conversation}`}
                          draggable={false}
                        >
                          {formatSince(lead.created_at)}
                        </Link>
                      ) : (
                        <span>{formatSince(lead.created_at)}</span>
                      )}
                    </span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <p role="status" className={styles.hidden}>
        {said}
      </p>
    </>
  )
}
