import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Lead, leadStatuses } from '../../../server/contracts/leads'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type LeadChange, useDeleteLead, useLeadChange } from '../../api/leads'
import type { ChatbotPlace } from '../../api/webSettings'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import styles from './leads.module.css'

const MOST_COLUMNS = 6

/** Leads as rows, their answers as columns. */
export function LeadTable({
  place,
  leads,
  people,
  readOnly,
}: {
  place: ChatbotPlace
  leads: readonly Lead[]
  people: readonly { gid: string; name: string }[]
  readOnly: boolean
}) {
  const { t } = useTranslation('leads')
  const { t: common } = useTranslation()
  const mutation = useLeadChange(place)
  const remove = useDeleteLead(place)
  const mayDelete = useCan('contacts.delete')
  const [deleting, setDeleting] = useState<Lead | null>(null)
  const columns = new Map(leads.flatMap(({ answers }) => answers.map(({ id, name }) => [id, name] as const)))
  const asked = [...columns].slice(0, MOST_COLUMNS)
  const onError = (error: unknown) => notify.error(failureText(error, common('errors.message')))
  const change = (changed: LeadChange) => mutation.mutate(changed, { onError })
  return (
    <Card flush>
      <section className={styles.scroll} aria-label={t('title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              {(['name', 'email', 'phone'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(column)}
                </th>
              ))}
              <th scope="col">{t('status')}</th>
              <th scope="col">{t('owner')}</th>
              <th scope="col">{t('source')}</th>
              {asked.map(([id, name]) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{t('created')}</th>
              <th scope="col">
                <span className={styles.hidden}>{t('actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {leads.map((lead) => (
              <tr key={lead.gid}>
                <td>{nameOf(lead) || <span className={styles.none}>{t('unknown')}</span>}</td>
                <td>{lead.email}</td>
                <td>{lead.phone}</td>
                <td>
                  <Select
                    size="xs"
                    aria-label={t('statusOf', { name: titleOf(lead) })}
                    disabled={readOnly}
                    allowDeselect={false}
                    data={leadStatuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
                    value={lead.status}
                    onChange={(value) => {
                      const status = leadStatuses.find((each) => each === value)
                      if (status) change({ gid: lead.gid, status })
                    }}
                  />
                </td>
                <td>
                  <Select
                    size="xs"
                    aria-label={t('ownerOf', { name: titleOf(lead) })}
                    disabled={readOnly}
                    allowDeselect={false}
                    data={[
                      { value: '', label: t('nobody') },
                      ...people.map(({ gid, name }) => ({ value: gid, label: name })),
                    ]}
                    value={lead.owner?.gid ?? ''}
                    onChange={(value) => change({ gid: lead.gid, owner: value || null })}
                  />
                </td>
                <td>
                  <Badge>{t(`sources.${lead.source}`)}</Badge>
                </td>
                {asked.map(([id]) => (
                  <td key={id}>{lead.answers.find((answer) => answer.id === id)?.value}</td>
                ))}
                <td>
                  <time dateTime={lead.created_at} title={formatMoment(lead.created_at)}>
                    {lead.conversation ? (
                      <Link to={`/projects/${place.pgid}/chatbots/${place.cgid}/conversations/${lead.conversation}`}>
                        {formatSince(lead.created_at)}
                      </Link>
                    ) : (
                      formatSince(lead.created_at)
                    )}
                  </time>
                </td>
                <td>
                  {mayDelete && (
                    <IconButton
                      size="s"
                      label={t('deleteOf', { name: titleOf(lead) })}
                      icon={<Trash2 size={14} />}
                      onClick={() => setDeleting(lead)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {deleting && (
        <ConfirmDialog
          opened
          title={t('deleteTitle')}
          message={t('deleteMessage')}
          confirm={common('actions.delete')}
          danger
          onClose={() => setDeleting(null)}
          onConfirm={() => {
            remove.mutate(deleting.gid, { onError })
            setDeleting(null)
          }}
        />
      )}
    </Card>
  )
}

const nameOf = ({ name }: Lead) => name
/** What a lead is called where it needs a name. */
export const titleOf = ({ name, email, phone }: Lead): string => name || email || phone
