import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FeatureChoice, featureChoices } from '../../../server/contracts/firstSteps'
import { settingsChanged, useAccount } from '../../api/account'
import { useFirstSteps } from '../../api/firstSteps'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import styles from './firstSteps.module.css'

/** Asks once what should be built next; then shows how many chose what, if enough did to say so. */
export function FeatureVote() {
  const { t } = useTranslation('firstSteps')
  const { show_feature_vote_1: asked } = useAccount().user.settings
  const { vote } = useFirstSteps()
  const [choice, setChoice] = useState<FeatureChoice | null>(null)
  const [missing, setMissing] = useState(false)
  const putAway = () => vote.mutate(null, { onSuccess: ({ settings }) => settingsChanged(settings) })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!choice) return setMissing(true)
    vote.mutate(choice)
  }
  if (!asked) return null
  if (vote.data && vote.variables) {
    const { votes, settings } = vote.data
    return (
      <Card
        title={t('vote.thanks')}
        actions={
          <Button size="s" design="ghost" onClick={() => settingsChanged(settings)}>
            {t('vote.close')}
          </Button>
        }
      >
        {votes ? (
          <ul className={styles.votes}>
            {votes.map(({ choice, count }) => (
              <li key={choice}>{t('vote.counted', { count, what: t(`vote.choices.${choice}`) })}</li>
            ))}
          </ul>
        ) : (
          <p>{t('vote.few')}</p>
        )}
      </Card>
    )
  }
  return (
    <Card
      title={t('vote.title')}
      description={t('vote.why')}
      actions={
        <Button size="s" design="ghost" loading={vote.isPending && vote.variables === null} onClick={putAway}>
          {t('vote.refuse')}
        </Button>
      }
    >
      <form onSubmit={submit}>
        <fieldset className={styles.question}>
          <legend className={styles.legend}>{t('vote.legend')}</legend>
          <div className={styles.chips}>
            {featureChoices.map((one) => (
              <label key={one} className={styles.chip}>
                <input
                  type="radio"
                  name="vote"
                  value={one}
                  checked={choice === one}
                  onChange={() => {
                    setMissing(false)
                    setChoice(one)
                  }}
                />
                {t(`vote.choices.${one}`)}
              </label>
            ))}
          </div>
        </fieldset>
        {missing && (
          <p className={styles.missing} role="alert">
            {t('vote.missing')}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" design="primary" loading={vote.isPending && vote.variables !== null}>
            {t('vote.submit')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
