import { useQuery } from '@tanstack/react-query'
import { Search, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { MemberList, SentInvitation } from '../../../server/contracts/members'
import { useCan, useUnlimited } from '../../api/account'
import { failureText } from '../../api/failure'
import { membersQuery } from '../../api/members'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { TextField } from '../../ui/TextField'
import { InvitationsTable } from './InvitationsTable'
import { InviteDialog } from './InviteDialog'
import { MembersTable } from './MembersTable'
import styles from './members.module.css'
import { SentDialog } from './SentDialog'

/** /projects/:pgid/members: members with their roles, and invitations. */
export function MembersScreen() {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayInvite = useCan('members.invite')
  const [inviting, setInviting] = useState(false)
  const [sent, setSent] = useState<SentInvitation[]>([])
  const { data, error, refetch } = useQuery(membersQuery(pgid))
  return (
    <>
      <PageHeader
        title={t('title')}
        description={data && <Seats seats={data.seats} />}
        actions={
          mayInvite && (
            <Button design="primary" icon={<UserPlus />} onClick={() => setInviting(true)}>
              {t('invite')}
            </Button>
          )
        }
      />
      {data ? (
        <People pgid={pgid} list={data} onSent={setSent} />
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={4} height={56} />
      )}
      <InviteDialog
        pgid={pgid}
        opened={inviting}
        onClose={() => setInviting(false)}
        onSent={(invited) => {
          setInviting(false)
          setSent(invited)
        }}
      />
      <SentDialog sent={sent} onClose={() => setSent([])} />
    </>
  )
}

function Seats({ seats: { used, max, plan } }: { seats: MemberList['seats'] }) {
  const { t } = useTranslation('members')
  const unlimited = useUnlimited()
  return (
    <span className={styles.seats}>
      {unlimited
        ? t('seatsUnlimited', { count: used })
        : t('seats', { used: formatNumber(used), max: formatNumber(max) })}
      <Badge tone={used >= max ? 'warning' : 'neutral'}>{t('seatsPlan', { plan })}</Badge>
    </span>
  )
}

interface PeopleProps {
  pgid: string
  list: MemberList
  onSent: (sent: SentInvitation[]) => void
}

function People({ pgid, list, onSent }: PeopleProps) {
  const { t } = useTranslation('members')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const matches = (words: string[], roles: number[]) =>
    [...words, ...roles.map((role) => t(`role.${role}.name`))].join(' ').toLowerCase().includes(wanted)
  const members = list.members.filter(({ first_name, last_name, email, roles }) =>
    matches([first_name, last_name, email], roles),
  )
  const invitations = list.invitations.filter(({ email, roles }) => matches([email], roles))
  const alone = list.members.length === 1 && list.invitations.length === 0
  return (
    <div className={styles.stack}>
      {!alone && (
        <TextField
          className={styles.filter}
          type="search"
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<Search size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {members.length > 0 && <MembersTable pgid={pgid} members={members} list={list} />}
      {invitations.length > 0 && <InvitationsTable pgid={pgid} invitations={invitations} onSent={onSent} />}
      {members.length + invitations.length === 0 && (
        <p className={styles.note}>{t('noMatch', { search: search.trim() })}</p>
      )}
      {alone && <p className={styles.note}>{t('alone')}</p>}
    </div>
  )
}
