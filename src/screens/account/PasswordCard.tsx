import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changePasswordBody } from '../../../server/contracts/profile'
import { failureText, fieldsOf } from '../../api/failure'
import { useProfileChanges } from '../../api/profile'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import styles from './account.module.css'

const nothing = { current: '', password: '' }

/** A new password ends all other sessions. */
export function PasswordCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const [body, setBody] = useState(nothing)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const { password } = useProfileChanges()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(changePasswordBody, body)
    setWrong(fields)
    if (Object.keys(fields).length > 0) return
    password.mutate(body, {
      onSuccess: () => {
        setBody(nothing)
        notify.success(t('password.saved'))
      },
      onError: (error) => setWrong(fieldsOf(error)),
    })
  }
  const field = (name: keyof typeof body) => ({
    value: body[name],
    error: wrong[name],
    onChange: (event: { currentTarget: { value: string } }) => setBody({ ...body, [name]: event.currentTarget.value }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('password.title')}
        description={t('password.description')}
        footer={
          <Button type="submit" design="primary" disabled={body.password === ''} loading={password.isPending}>
            {t('password.submit')}
          </Button>
        }
      >
        <div className={styles.fields}>
          {password.error && Object.keys(wrong).length === 0 && (
            <p role="alert" className={styles.alert}>
              {failureText(password.error, common('errors.message'))}
            </p>
          )}
          <div className={styles.pair}>
            <PasswordField
              revealLabel={common('actions.showPassword')}
              label={t('password.current')}
              autoComplete="current-password"
              {...field('current')}
            />
            <PasswordField
              revealLabel={common('actions.showPassword')}
              label={t('password.new')}
              autoComplete="new-password"
              {...field('password')}
            />
          </div>
        </div>
      </Card>
    </form>
  )
}
