import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WhatsappProfile } from '../../../server/contracts/whatsapp'
import { useCan } from '../../api/account'
import { ApiFailure, failureText } from '../../api/failure'
import { type ChatbotPlace, useWhatsappChanges, whatsappProfileQuery } from '../../api/whatsapp'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import { ProfilePicture } from './ProfilePicture'
import styles from './whatsapp.module.css'

/** What people see of the business, as WhatsApp has it. */
export function ProfileCard({ place }: { place: ChatbotPlace }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(whatsappProfileQuery(place))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, t('errors.message'))}
        action={{ label: t('actions.retry'), onClick: () => void refetch() }}
      />
    )
  return data ? (
    <ProfileForm key={JSON.stringify(data.profile)} place={place} saved={data.profile} picture={data.picture} />
  ) : (
    <LoadingState rows={1} height={200} />
  )
}

interface ProfileFormProps {
  place: ChatbotPlace
  saved: WhatsappProfile
  picture: string
}

function ProfileForm({ place, saved, picture }: ProfileFormProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const readOnly = !useCan('whatsapp.profile')
  const [draft, setDraft] = useState(saved)
  const { saveProfile } = useWhatsappChanges(place)
  const { error } = saveProfile
  const fields = error instanceof ApiFailure ? error.fields : {}
  const wrong = (name: keyof WhatsappProfile) => fields[`profile.${name}`]
  const failed = error && Object.keys(fields).length === 0 ? error : null
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)
  const edit = (part: Partial<WhatsappProfile>) => {
    saveProfile.reset()
    setDraft({ ...draft, ...part })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isChanged) saveProfile.mutate(draft, { onSuccess: () => notify.success(t('profile.saved')) })
  }
  const text = (name: 'about' | 'address' | 'email' | 'website', most: number) => (
    <TextField
      label={t(`profile.${name}`)}
      value={draft[name]}
      maxLength={most}
      readOnly={readOnly}
      error={wrong(name)}
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('profile.title')}
        description={t('profile.description')}
        footer={
          !readOnly && (
            <Button type="submit" design="primary" disabled={!isChanged} loading={saveProfile.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <div className={styles.fields}>
          <ProfilePicture place={place} picture={picture} readOnly={readOnly} />
          {text('about', 139)}
          <TextArea
            label={t('profile.text')}
            value={draft.description}
            maxLength={256}
            readOnly={readOnly}
            error={wrong('description')}
            onChange={(event) => edit({ description: event.currentTarget.value })}
          />
          {text('address', 256)}
          <div className={styles.pair}>
            {text('email', 128)}
            {text('website', 256)}
          </div>
          {failed && (
            <p role="alert" className={styles.alert}>
              {failureText(failed, common('errors.message'))}
            </p>
          )}
        </div>
      </Card>
    </form>
  )
}
