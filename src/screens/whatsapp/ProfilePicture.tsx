import { ImageUp, Store } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatbotPlace, useWhatsappChanges } from '../../api/whatsapp'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import { useProjectUpload } from './useProjectUpload'
import styles from './whatsapp.module.css'

interface ProfilePictureProps {
  place: ChatbotPlace
  /** its address at WhatsApp; empty: there is none */
  picture: string
  readOnly: boolean
}

/** The business's picture, as WhatsApp has it. A new one is shown there at once. */
export function ProfilePicture({ place, picture, readOnly }: ProfilePictureProps) {
  const { t } = useTranslation('whatsapp')
  const input = useRef<HTMLInputElement>(null)
  const { savePicture } = useWhatsappChanges(place)
  const { sending, problem, send } = useProjectUpload(place.pgid)
  const save = (file: File) =>
    send(file, 'image', async (gid) => {
      await savePicture.mutateAsync(gid)
      notify.success(t('profile.saved'))
    })
  return (
    <div className={styles.picture}>
      {picture === '' ? (
        <span className={styles.noPicture} aria-hidden>
          <Store size={24} />
        </span>
      ) : (
        <img src={picture} alt={t('profile.picture')} />
      )}
      {!readOnly && (
        <>
          <Button size="s" icon={<ImageUp size={14} />} loading={sending} onClick={() => input.current?.click()}>
            {t(picture === '' ? 'profile.addPicture' : 'profile.changePicture')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('profile.picture')}
            accept="image/png,image/jpeg"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) void save(file)
            }}
          />
          <p className={styles.note}>{t('profile.pictureHint')}</p>
        </>
      )}
      {problem && (
        <p role="alert" className={styles.alert}>
          {problem}
        </p>
      )}
    </div>
  )
}
