import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalModel } from '../../../server/contracts/localModels'
import { failureText } from '../../api/failure'
import { useLocalModelChanges } from '../../api/localModels'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { Segmented } from '../../ui/Segmented'
import { TextField } from '../../ui/TextField'
import styles from './aiSettings.module.css'

interface LocalModelSettingsProps {
  pgid: string
  model: LocalModel
  onClose: () => void
}

/** How a transformer is asked: what stands before texts, and how their tokens' vectors become one. */
export function LocalModelSettings({ pgid, model, onClose }: LocalModelSettingsProps) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const [question, setQuestion] = useState(model.question_prefix)
  const [passage, setPassage] = useState(model.passage_prefix)
  const [pooling, setPooling] = useState(model.pooling)
  const { change } = useLocalModelChanges(pgid)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const body = { question_prefix: question, passage_prefix: passage, pooling }
    change.mutate({ gid: model.gid, body }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={t('localSettings.title', { name: model.name })}>
      <form onSubmit={submit} className={styles.form} noValidate>
        <p className={styles.about}>{t('localSettings.about')}</p>
        <TextField
          label={t('localSettings.question')}
          description={t('localSettings.questionHint')}
          value={question}
          maxLength={200}
          spellCheck={false}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <TextField
          label={t('localSettings.passage')}
          description={t('localSettings.passageHint')}
          value={passage}
          maxLength={200}
          spellCheck={false}
          onChange={(event) => setPassage(event.currentTarget.value)}
        />
        <div className={styles.choice}>
          <span className={styles.choiceLabel}>{t('localSettings.pooling')}</span>
          <Segmented<LocalModel['pooling']>
            label={t('localSettings.pooling')}
            value={pooling}
            options={[
              { value: 'mean', label: t('localSettings.mean') },
              { value: 'first', label: t('localSettings.first') },
            ]}
            onChange={setPooling}
          />
        </div>
        {model.in_use && <p className={styles.facts}>{t('localSettings.again')}</p>}
        {change.error && (
          <p role="alert" className={styles.problem}>
            {failureText(change.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={change.isPending}>
            {common('actions.save')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
