import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account'
import { fieldOr } from '../../api/failure'
import { type ChatbotPlace, useSourceChanges } from '../../api/sources'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import styles from './data-sources.module.css'

/** Chooses another chatbot's knowledge base. */
export function LinkDialog({ place, onClose }: { place: ChatbotPlace; onClose: () => void }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const others = useAccount().user.chatbots.filter(({ gid }) => gid !== place.cgid)
  const [chosen, setChosen] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const { link } = useSourceChanges(place)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (chosen)
      link.mutate(chosen, {
        onSuccess: () => {
          notify.success(t('link.linked', { name: others.find(({ gid }) => gid === chosen)?.name }))
          onClose()
        },
      })
  }
  const problem =
    tried && !chosen
      ? t('link.empty')
      : link.error
        ? fieldOr(link.error, 'chatbot', common('errors.message'))
        : undefined
  return (
    <Modal opened onClose={onClose} title={t('link.title')}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <ModalText>{t('link.message')}</ModalText>
        {others.length === 0 ? (
          <p>{t('link.none')}</p>
        ) : (
          <Select
            label={t('link.choose')}
            placeholder={t('link.placeholder')}
            data={others.map(({ gid, name }) => ({ value: gid, label: name }))}
            value={chosen}
            error={problem}
            onChange={(value) => {
              setChosen(value)
              link.reset()
            }}
            data-autofocus
          />
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          {others.length > 0 && (
            <Button type="submit" design="primary" loading={link.isPending}>
              {t('link.confirm')}
            </Button>
          )}
        </ModalActions>
      </form>
    </Modal>
  )
}
