import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { beginSignOn, beginSignOnBody, signOnProblems } from '../../../server/contracts/signOn'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { ownPath } from '../../api/ownPath'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { PageTitle } from '../../ui/PageTitle'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { CodeForm } from './CodeForm'

/** `/sign-on`: leads to one's organisation's page, by the address; says what went wrong there, or asks the code. */
export function SignOnScreen() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const next = ownPath(search.get('next'))
  const problem = signOnProblems.find((each) => each === search.get('problem'))
  if (search.has('code'))
    return (
      <div className={styles.form}>
        <PageTitle>{t('code.title')}</PageTitle>
        <h1 className={styles.title}>{t('code.title')}</h1>
        <CodeForm
          submit={t('login.submit')}
          onDone={() => (next.startsWith('/api/') ? window.location.replace(next) : navigate(next, { replace: true }))}
          onBack={() => navigate('/login', { replace: true })}
        />
      </div>
    )
  return <AddressForm next={next} problem={problem && t(`signOn.problems.${problem}`)} />
}

function AddressForm({ next, problem }: { next: string; problem: string | undefined }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = useMutation({
    mutationFn: () => callRoute(beginSignOn, { body: { email, next } }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(beginSignOnBody, { email })
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  const general = send.isError && Object.keys(wrong).length === 0 && failureText(send.error, common('errors.message'))
  const said = general || (send.isIdle && problem)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('signOn.title')}</PageTitle>
      <h1 className={styles.title}>{t('signOn.title')}</h1>
      <p className={styles.message}>{t('signOn.message')}</p>
      {said && (
        <p role="alert" className={styles.alert}>
          {said}
        </p>
      )}
      <TextField
        label={t('signOn.email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={wrong.email}
        autoFocus
      />
      <Button type="submit" design="primary" size="l" wide loading={send.isPending || send.isSuccess}>
        {t('signOn.submit')}
      </Button>
      <p className={styles.other}>
        <Link to="/login">{t('signOn.password')}</Link>
      </p>
    </form>
  )
}
