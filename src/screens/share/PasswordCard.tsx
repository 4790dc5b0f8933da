import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setSharePassword } from '../../../server/contracts/web'
import { SHARE_PASSWORD_CAP } from '../../../server/contracts/web/settings'
import { useAccount } from '../../api/account'
import { failureText, fieldsOf } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { type ChatbotPlace, sharePasswordQuery, useSharePassword } from '../../api/webSettings'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import styles from './share.module.css'

/** The shared page's password: set, changed, taken away, and read by nobody. */
export function PasswordCard({ place, readOnly }: { place: ChatbotPlace; readOnly: boolean }) {
  const { t } = useTranslation('share')
  const { t: common } = useTranslation()
  const { data, error } = useQuery(sharePasswordQuery(place))
  const change = useSharePassword(place)
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const onPlan = useAccount().user.subscription.features.share_password === true
  const isSet = data?.set ?? false
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const problem = fieldErrors(setSharePassword.body, { password }).password
    setWrong(problem)
    if (problem) return
    change.mutate(password, {
      onSuccess: () => {
        setPassword('')
        notify.success(t(isSet ? 'password.changed' : 'password.done'))
      },
    })
  }
  const refused =
    change.error && (fieldsOf(change.error).password ?? failureText(change.error, common('errors.message')))
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('password.title')}
        description={t('password.description')}
        actions={
          data && <Badge tone={isSet ? 'success' : 'neutral'}>{t(isSet ? 'password.on' : 'password.off')}</Badge>
        }
        footer={
          !readOnly &&
          data && (
            <>
              {isSet && (
                <Button
                  loading={change.isPending && change.variables === null}
                  onClick={() => change.mutate(null, { onSuccess: () => notify.success(t('password.removed')) })}
                >
                  {t('password.remove')}
                </Button>
              )}
              <Button
                type="submit"
                design="primary"
                disabled={password === '' || !onPlan}
                loading={change.isPending && change.variables !== null}
              >
                {t(isSet ? 'password.change' : 'password.set')}
              </Button>
            </>
          )
        }
      >
        {!readOnly && !onPlan && <UpgradeBanner />}
        {!readOnly && (
          <div className={styles.password}>
            <PasswordField
              label={t(isSet ? 'password.new' : 'password.label')}
              value={password}
              maxLength={SHARE_PASSWORD_CAP}
              autoComplete="new-password"
              disabled={!onPlan}
              error={wrong ?? refused ?? (error ? failureText(error, common('errors.message')) : undefined)}
              revealLabel={common('actions.showPassword')}
              onChange={(event) => {
                setPassword(event.currentTarget.value)
                setWrong(undefined)
                change.reset()
              }}
            />
            {onPlan && <p className={styles.hint}>{t('password.hint')}</p>}
          </div>
        )}
      </Card>
    </form>
  )
}
