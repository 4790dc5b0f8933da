import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { beginSignOn } from '../../../server/contracts/signOn'
import { callRoute } from '../../api/client'
import { ApiFailure, fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import styles from './auth.module.css'
import { Notice } from './SetupNotice'

/** Whether an account was refused because an organisation wants its people to come in by its sign-in. */
export const isOfOrganisation = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.code === 'organisation_asks' || error.code === 'organisation_needed')

interface OrganisationChoiceProps {
  email: string
  /** why the account was refused */
  error: unknown
  /** creates an account of one's own all the same */
  onOwn: () => void
  loading: boolean
}

/** People of an organisation that has a project here are asked to come in by its sign-in, or have to. */
export function OrganisationChoice({ email, error, onOwn, loading }: OrganisationChoiceProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const isNeeded = error instanceof ApiFailure && error.code === 'organisation_needed'
  const begin = useMutation({
    mutationFn: () => callRoute(beginSignOn, { body: { email } }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Notice
      title={t('organisation.title')}
      message={t(isNeeded ? 'organisation.needed' : 'organisation.asks', { domain: email.split('@').at(-1) })}
    >
      {begin.error && (
        <p role="alert" className={styles.alert}>
          {fieldOr(begin.error, 'email', common('errors.message'))}
        </p>
      )}
      <div className={styles.choices}>
        <Button design="primary" loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
          {t('organisation.join')}
        </Button>
        {!isNeeded && (
          <Button loading={loading} onClick={onOwn}>
            {t('organisation.own')}
          </Button>
        )}
      </div>
    </Notice>
  )
}
