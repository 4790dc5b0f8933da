import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MemberList } from '../../../server/contracts/members'
import { failureText } from '../../api/failure'
import { membersQuery, useMemberChanges } from '../../api/members'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'

/** Whether members can open the project only with two-factor sign-in, and how many can't yet. */
export function TwoFactorRule({ pgid }: { pgid: string }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(membersQuery(pgid))
  if (data) return <Rule pgid={pgid} list={data} />
  return (
    <Card title={t('twoFactor.title')}>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={1} />
      )}
    </Card>
  )
}

function Rule({ pgid, list }: { pgid: string; list: MemberList }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const { signInRule } = useMemberChanges(pgid)
  const { second_factor_required: isOn, without_second_factor: lacking } = list
  const change = (wanted: boolean) =>
    signInRule.mutate(wanted, {
      onSuccess: () => notify.success(t(wanted ? 'twoFactor.on' : 'twoFactor.off')),
      onError: (failure) => notify.error(failureText(failure, common('errors.message'))),
    })
  return (
    <Card
      title={t('twoFactor.title')}
      description={
        lacking.length === 0
          ? t('twoFactor.all')
          : t(isOn ? 'twoFactor.lacking' : 'twoFactor.wouldLack', { count: lacking.length })
      }
      actions={
        <Switch
          aria-label={t('twoFactor.label')}
          checked={isOn}
          disabled={signInRule.isPending}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      }
    />
  )
}
