import type { en } from './en'

export const de: typeof en = {
  orOpen: 'Oder öffnen Sie diesen Link:',
  openProject: 'Projekt öffnen',
  invitation: {
    title: (inviter, project) => `${inviter} hat Sie zu ${project} eingeladen`,
    words: 'In Parley bauen Sie gemeinsam Chatbots. Ihre Rollen:',
    hidden: 'Der Link steht nur in der E-Mail selbst. Einen zum Kopieren gibt es unter Mitglieder mit „Erneut senden“.',
    accept: 'Einladung annehmen',
    end: (day) =>
      `Der Link gilt einmal und bis zum ${day}. Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.`,
  },
  reset: {
    title: 'Neues Passwort festlegen',
    preview: 'Legen Sie ein neues Passwort für Parley fest.',
    words: (name) => `Hallo ${name}, jemand möchte Ihr Passwort zurücksetzen.`,
    end: 'Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',
  },
  registration: {
    title: 'Konto erstellen',
    preview: 'Erstellen Sie Ihr Konto für Parley.',
    words: 'Hallo, jemand möchte mit dieser E-Mail-Adresse ein Konto bei Parley.',
    end: 'Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Es wird kein Konto erstellt.',
    known: {
      title: 'Sie haben bereits ein Konto',
      preview: 'Melden Sie sich bei Parley an.',
      words:
        'Es gibt schon eines, darum wurde nichts geändert. Falls Sie Ihr Passwort vergessen haben, setzen Sie es zurück.',
      action: 'Anmelden',
      end: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
    },
  },
  passwordChanged: {
    title: 'Ihr Passwort wurde geändert',
    words: (name) => `Hallo ${name}, Ihr Passwort wurde geändert, und Sie wurden überall abgemeldet.`,
    notYou: 'Wenn Sie das nicht waren, setzen Sie es jetzt zurück:',
    action: 'Neues Passwort festlegen',
  },
  security: {
    newBrowser: {
      title: 'Neue Anmeldung in Ihrem Konto',
      words: (name) =>
        `Hallo ${name}, jemand hat sich in Ihrem Konto mit einem Browser angemeldet, der dafür noch nicht verwendet wurde.`,
    },
    twoFactorOn: {
      title: 'Die Anmeldung in zwei Schritten ist an',
      words: (name) =>
        `Hallo ${name}, ab jetzt braucht die Anmeldung in Ihrem Konto neben dem Passwort einen Code. Überall sonst wurden Sie abgemeldet.`,
    },
    twoFactorOff: {
      title: 'Die Anmeldung in zwei Schritten ist aus',
      words: (name) =>
        `Hallo ${name}, die Anmeldung in zwei Schritten wurde ausgeschaltet: Ihr Passwort allein öffnet Ihr Konto.`,
    },
    twoFactorOffByOperator: {
      title: 'Die Anmeldung in zwei Schritten wurde für Sie ausgeschaltet',
      words: (name) =>
        `Hallo ${name}, wer diese Installation betreibt, hat die Anmeldung in zwei Schritten für Ihr Konto ausgeschaltet: Ihr Passwort allein öffnet es. Sie können sie jederzeit wieder einschalten.`,
    },
    recoveryCodeUsed: {
      title: 'Ein Wiederherstellungscode wurde verwendet',
      words: (name) =>
        `Hallo ${name}, jemand hat sich in Ihrem Konto mit einem Wiederherstellungscode angemeldet. Er gilt kein zweites Mal.`,
    },
    recoveryCodesRenewed: {
      title: 'Sie haben neue Wiederherstellungscodes',
      words: (name) =>
        `Hallo ${name}, für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.`,
    },
    passkeyAdded: {
      title: 'Ein Passkey wurde hinzugefügt',
      words: (name) =>
        `Hallo ${name}, Ihrem Konto wurde ein Passkey hinzugefügt. Er meldet ohne Ihr Passwort und ohne Code an.`,
    },
    passkeyRemoved: {
      title: 'Ein Passkey wurde entfernt',
      words: (name) => `Hallo ${name}, ein Passkey wurde aus Ihrem Konto entfernt. Er meldet niemanden mehr an.`,
    },
    passkeyCopied: {
      title: 'Ein Passkey wurde abgelehnt',
      words: (name) =>
        `Hallo ${name}, jemand wollte sich offenbar mit der Kopie eines Ihrer Passkeys in Ihrem Konto anmelden und wurde abgewiesen. Entfernen Sie diesen Passkey aus Ihrem Konto und fügen Sie einen neuen hinzu.`,
    },
    where: (device, address, time) => [device, address, time].filter(Boolean).join(' · '),
    notYou: 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und sehen Sie sich Ihre Sitzungen an:',
    notYouLogin:
      'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, setzen Sie jetzt ein neues Passwort, das alle abmeldet:',
    newPassword: 'Neues Passwort festlegen',
    look: 'Konto öffnen',
  },
  emailChange: {
    title: 'Neue E-Mail-Adresse bestätigen',
    words: (name) => `Hallo ${name}, öffnen Sie diesen Link, um diese Adresse für Ihr Konto zu verwenden:`,
    action: 'Diese E-Mail-Adresse bestätigen',
    end: 'Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Es ändert sich nichts.',
    done: {
      title: 'Ihre E-Mail-Adresse wurde geändert',
      preview: 'Die E-Mail-Adresse Ihres Kontos wurde geändert.',
      words: (name, email) => `Hallo ${name}, Ihr Konto gehört jetzt zu ${email}. E-Mails gehen ab sofort dorthin.`,
      notYou: 'Wenn Sie das nicht waren, sagen Sie es sofort der Person, die diese Installation betreibt.',
    },
  },
  billing: {
    pay: 'Jetzt bezahlen',
    failed: {
      subject: (project) => `${project}: Eine Zahlung ist fehlgeschlagen`,
      title: 'Eine Zahlung ist fehlgeschlagen',
      words: (plan, project, until) => [
        `Der Tarif ${plan} von ${project} konnte nicht abgebucht werden. Vielleicht ist die Karte abgelaufen, oder die Bank möchte eine Bestätigung.`,
        `Bis zum ${until} ändert sich nichts. Die Zahlung wird bis dahin erneut versucht; danach hat das Projekt den kostenlosen Tarif, und nichts wird gelöscht.`,
      ],
    },
    over: {
      subject: (project) => `${project}: Der Tarif ist beendet, weil eine Zahlung fehlt`,
      title: 'Der Tarif ist beendet',
      words: (plan, project) => [
        `Der Tarif ${plan} von ${project} konnte zu lange nicht abgebucht werden. Das Projekt hat jetzt den kostenlosen Tarif. Nichts wurde gelöscht.`,
        'Sobald die offene Rechnung bezahlt ist, gilt der Tarif wieder.',
      ],
    },
    trial_ends: {
      subject: (project) => `${project}: Die Testphase endet bald`,
      title: 'Die Testphase endet bald',
      words: (plan, project, until) => [
        `Die Testphase des Tarifs ${plan} von ${project} endet am ${until}. Dann wird die Karte zum ersten Mal belastet. Kündigen Sie vorher, wenn Sie das nicht möchten.`,
      ],
      action: 'Abonnement ansehen',
    },
  },
  credits: {
    subject: (project, percent) =>
      percent >= 100
        ? `${project}: Die KI-Credits dieses Monats sind aufgebraucht`
        : `${project}: ${percent} % der KI-Credits dieses Monats sind verbraucht`,
    title: (percent) =>
      percent >= 100
        ? 'Die KI-Credits dieses Monats sind aufgebraucht'
        : `${percent} % der KI-Credits dieses Monats sind verbraucht`,
    used: ({ project, used, max, plan, renewed }) =>
      `${project} hat in diesem Monat ${used} von ${max} Credits des Tarifs ${plan} verbraucht. Neue gibt es am ${renewed}.`,
    over: 'Bis dahin pausieren Antworten, die Credits kosten, und Besucher erfahren das. Alles andere in Ihren Flows geht weiter. Das eingebaute Modell ist kostenlos.',
    soon: 'Wenn sie aufgebraucht sind, pausieren Antworten, die Credits kosten, bis dahin. Das eingebaute Modell ist kostenlos.',
  },
  overLimit: {
    subject: (project) => `${project}: Manches kann jetzt nur noch gelesen werden`,
    title: 'Manches kann jetzt nur noch gelesen werden',
    words: (project, plan) =>
      `${project} hat seit einer Änderung mehr, als der Tarif erlaubt: Jetzt gilt ${plan}. Nichts wurde gelöscht, und mit einem größeren Tarif ist alles wieder da.`,
    chatbots: (max) =>
      `Chatbots (der Tarif hat ${max}): Diese können gelesen, aber nicht geändert werden; ihre Besucher bekommen weiter Antworten.`,
    seats: (max) => `Mitglieder (der Tarif hat ${max} Plätze): Diese können lesen, aber nichts ändern.`,
    custom_domains: (max) =>
      `Eigene Domains (der Tarif hat ${max}): Diese sind nicht erreichbar; ihre Chatbots sind es unter ihrer anderen Adresse.`,
    more: (count) => `und ${count} weitere`,
    action: 'Auswählen, was bleibt',
  },
  notifications: {
    where: (chatbot) => ` in ${chatbot}`,
    more: (count) => `Und ${count} weitere.`,
    several: (count, project) => `${count} Dinge sind in ${project} passiert`,
    many: (count) => `${count} Benachrichtigungen`,
    choose: 'Was Sie erfahren, wählen Sie in den',
    settings: 'Einstellungen der Benachrichtigungen',
    visitor: 'Ein Besucher',
    waiting: (who) => `${who} wartet noch auf eine Antwort`,
    handed_over: (who) => `${who} möchte mit einem Menschen sprechen`,
    assigned: (by) =>
      by === null ? 'Ihnen wurde eine Unterhaltung zugewiesen' : `${by} hat Ihnen eine Unterhaltung zugewiesen`,
    mentioned: (by) => `${by ?? 'Jemand'} hat Sie in einer Notiz erwähnt`,
    new_conversation: (who) => `${who} hat eine Unterhaltung begonnen`,
    new_contact: (who) => (who === null ? 'Es gibt einen neuen Kontakt' : `${who} ist ein neuer Kontakt`),
  },
  handOff: {
    needed: (chatbot) => `Ein Besucher von ${chatbot} braucht eine Antwort`,
    added: (chatbot) => `Der Besucher von ${chatbot} hat noch etwas geschrieben`,
    noAddress: 'Der Besucher hat keine E-Mail-Adresse angegeben.',
    answerTo: ['Antworten Sie an', ' oder direkt auf diese E-Mail.'],
    question: 'Letzte Frage:',
    team: (team) => `Für: ${team}`,
    open: 'Unterhaltung öffnen',
    cut: 'Frühere Nachrichten stehen in der Unterhaltung.',
    who: { Visitor: 'Besucher', Bot: 'Bot' },
  },
  leftMessage: {
    title: (name, chatbot) => `${name} hat bei ${chatbot} eine Nachricht hinterlassen`,
    open: 'Kontakte öffnen',
  },
  comment: {
    subject: (who, chatbot, mentioned) =>
      mentioned ? `${who} hat Sie in ${chatbot} erwähnt` : `${who} hat auf einen Kommentar in ${chatbot} geantwortet`,
    title: (who, mentioned) => `${who} hat ${mentioned ? 'Sie erwähnt' : 'geantwortet'}`,
    open: 'Thread öffnen',
    why: (mentioned) =>
      `Sie bekommen diese E-Mail, weil Sie in diesem Thread ${mentioned ? 'erwähnt werden' : 'mitschreiben'}. Wenn Sie keine mehr möchten, wählen Sie in seinem Menü „Keine E-Mails mehr zu diesem Thread“.`,
  },
  connection: {
    subject: (project, vendor) => `${project}: ${vendor} muss neu verbunden werden`,
    title: (vendor) => `${vendor} muss neu verbunden werden`,
    words: (vendor, project, account) =>
      `${vendor} lässt ${project} das Konto ${account} nicht mehr nutzen. Die Erlaubnis wurde entzogen oder ist abgelaufen.`,
    until: 'Bis es neu verbunden ist, gehen Blöcke in Flows, die es nutzen, bei „Fehler“ weiter.',
    open: 'Integrationen öffnen',
  },
  webhookStopped: {
    title: (project) => `Ein Webhook von ${project} wurde ausgeschaltet`,
    gone: 'Sein Empfänger hat geantwortet, dass es ihn nicht mehr gibt (410).',
    failing: 'Sein Empfänger war drei Tage lang nicht erreichbar oder hat Fehler gemeldet.',
    until: 'Es wird nichts mehr gesendet, bis ihn jemand wieder einschaltet.',
  },
  replyTest: {
    subject: 'Ein Test der Antworten per E-Mail',
    title: 'Diese E-Mail prüft, wo Antworten von Besuchern ankommen',
  },
  weekly: {
    beside: (week) => `${week}, daneben in Grau die Woche davor.`,
    figures: {
      conversations: 'Unterhaltungen',
      visitors: 'Besucher',
      messages: 'Nachrichten',
      resolvedBot: 'Vom Bot gelöst',
      unresolved: 'Ungelöst',
      handedOver: 'Übergeben',
      firstAnswer: 'Erste Antwort einer Person',
      rating: 'Bewertung',
      answered: 'Beantwortete Fragen',
      leads: 'Leads',
      credits: 'KI-Credits',
      cost: 'Kosten der KI-Credits',
    },
    unanswered: 'Fragen ohne Antwort',
    answerThem: 'Für die nächsten Besucher beantworten',
    uncertain: (count) =>
      count === 1
        ? 'Eine Frage bekam eine unsichere Antwort („Das könnte helfen“).'
        : `${count} Fragen bekamen eine unsichere Antwort („Das könnte helfen“).`,
    confirmThem: 'Diese Antworten bestätigen oder berichtigen',
    open: 'Analysen öffnen',
    settings: 'Diese E-Mails ändern oder beenden',
    end: 'Diese E-Mails beenden',
    question: {
      title: (person, about) => `${person} möchte die Zahlen von ${about} mit Ihnen teilen`,
      words: 'Sie bekommen eine E-Mail pro Woche: wie viele Unterhaltungen es gab, und wie sie verlaufen sind.',
      hidden: 'Der Link steht nur in der E-Mail selbst.',
      accept: 'Wöchentliche E-Mails erhalten',
      expires: (days) =>
        `Der Link gilt ${days} Tage. Wenn Sie diese E-Mails nicht möchten, können Sie diese hier ignorieren.`,
    },
    pages: {
      about: (name) => `Wöchentliche E-Mails zu ${name}`,
      confirmed: 'Sie erhalten jetzt wöchentliche E-Mails',
      confirmedWords: (name) =>
        `Die Zahlen von ${name} kommen einmal pro Woche. In jeder E-Mail steht ein Link, der sie beendet.`,
      expired: 'Dieser Link ist abgelaufen',
      expiredWords: 'Bitten Sie die Person, die Ihnen die Zahlen zeigen möchte, um einen neuen.',
      ended: 'Diese E-Mails sind beendet',
      endedWords: 'Sie bekommen keine weiteren.',
    },
  },
}
