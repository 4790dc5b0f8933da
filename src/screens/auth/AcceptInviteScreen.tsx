import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { type InvitationLook, lookAtInvitation } from '../../../server/contracts/invitations'
import { resetAccount } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { projectEntry } from '../../api/projects'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { AcceptAs } from './AcceptAs'
import { AcceptAsNew } from './AcceptAsNew'
import { AcceptByLogin } from './AcceptByLogin'
import styles from './auth.module.css'
import { InvitationHead } from './InvitationHead'
import { OtherAccount } from './OtherAccount'
import { Notice } from './SetupNotice'

/** `/accept-invite?token=…`: shows the invitation, and the way to accept it. */
export function AcceptInviteScreen() {
  const { t: common } = useTranslation()
  const token = useSearchParams()[0].get('token') ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => callRoute(lookAtInvitation, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: token !== '',
  })
  if (token === '') return <Closed look={{ state: 'unknown', invitation: null, logged_in_as: null, member_of: null }} />
  if (error)
    return (
      <ErrorCard
        screen
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={4} height={40} />
  if (data.state !== 'open' || !data.invitation) return <Closed look={data} />
  return <Open token={token} invitation={data.invitation} loggedInAs={data.logged_in_as} again={() => void refetch()} />
}

interface OpenProps {
  token: string
  invitation: NonNullable<InvitationLook['invitation']>
  loggedInAs: string | null
  /** reloads: somebody logged out, or the invitation is no longer valid */
  again: () => void
}

function Open({ token, invitation, loggedInAs, again }: OpenProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const enter = (pgid: string) => {
    // the loaded account does not contain the new project
    resetAccount('all')
    queries.clear()
    void navigate(projectEntry(pgid), { replace: true })
  }
  const way = { token, invitation, onAccepted: enter, again }
  return (
    <div className={styles.form}>
      <InvitationHead invitation={invitation} />
      {loggedInAs === invitation.email ? (
        <AcceptAs {...way} />
      ) : loggedInAs !== null ? (
        <OtherAccount email={invitation.email} loggedInAs={loggedInAs} onLeft={again} />
      ) : invitation.has_account ? (
        <AcceptByLogin {...way} />
      ) : (
        <AcceptAsNew {...way} />
      )}
    </div>
  )
}

/** An invitation that can't be accepted: why, and what to do. */
function Closed({ look: { state, invitation, logged_in_as, member_of } }: { look: InvitationLook }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  if (member_of !== null && invitation) {
    const { project } = invitation
    return (
      <Notice title={t('invite.member.title')} message={t('invite.member.message', { project })}>
        <Button design="primary" to={projectEntry(member_of)}>
          {t('invite.member.open', { project })}
        </Button>
      </Notice>
    )
  }
  const why = state === 'open' ? 'unknown' : state
  return (
    <Notice
      title={t(`invite.${why}.title`)}
      message={t(`invite.${why}.message`, {
        project: invitation?.project,
        by: invitation?.invited_by ?? t('invite.somebody'),
      })}
    >
      {logged_in_as !== null ? (
        <Button to="/">{common('screens.home')}</Button>
      ) : (
        <Button to="/login">{common('screens.login')}</Button>
      )}
    </Notice>
  )
}
