import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { updateProfileBody } from '../../../server/contracts/profile'
import { useAccount } from '../../api/account'
import { failureText, fieldsOf } from '../../api/failure'
import { useProfileChanges } from '../../api/profile'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'

/** The name shown to others. */
export function NameCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { first_name, last_name } = useAccount().user.account
  const [names, setNames] = useState({ first_name, last_name })
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const { rename } = useProfileChanges()
  const changed = names.first_name.trim() !== first_name || names.last_name.trim() !== last_name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(updateProfileBody, names)
    setWrong(fields)
    if (!changed || Object.keys(fields).length > 0) return
    rename.mutate(names, {
      onSuccess: () => notify.success(t('name.saved')),
      onError: (error) => {
        setWrong(fieldsOf(error))
        if (Object.keys(fieldsOf(error)).length === 0) notify.error(failureText(error, common('errors.message')))
      },
    })
  }
  const field = (name: keyof typeof names) => ({
    value: names[name],
    error: wrong[name],
    maxLength: 75,
    onChange: (event: { currentTarget: { value: string } }) =>
      setNames({ ...names, [name]: event.currentTarget.value }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('name.title')}
        description={t('name.description')}
        footer={
          <Button type="submit" design="primary" disabled={!changed} loading={rename.isPending}>
            {common('actions.save')}
          </Button>
        }
      >
        <div className={styles.pair}>
          <TextField label={t('name.first')} autoComplete="given-name" {...field('first_name')} />
          <TextField label={t('name.last')} autoComplete="family-name" {...field('last_name')} />
        </div>
      </Card>
    </form>
  )
}
