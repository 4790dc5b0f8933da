import { useTranslation } from 'react-i18next'
import type { MemberList } from '../../../server/contracts/members'
import { failureText } from '../../api/failure'
import { useMemberChanges } from '../../api/members'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'

/** Whether members can open the project only with two-factor sign-in, and how many can't yet. */
export function SignInRule({ pgid, list }: { pgid: string; list: MemberList }) {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const { signInRule } = useMemberChanges(pgid)
  const { second_factor_required: isOn, without_second_factor: lacking } = list
  const change = (wanted: boolean) =>
    signInRule.mutate(wanted, {
      onSuccess: () => notify.success(t(wanted ? 'signIn.on' : 'signIn.off')),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Card
      title={t('signIn.title')}
      description={
        lacking.length === 0
          ? t('signIn.all')
          : t(isOn ? 'signIn.lacking' : 'signIn.wouldLack', { count: lacking.length })
      }
      actions={
        <Switch
          aria-label={t('signIn.label')}
          checked={isOn}
          disabled={signInRule.isPending}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      }
    />
  )
}
