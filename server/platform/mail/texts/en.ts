/** What mails to the people of Parley say, by template; other languages say the same. */
export const en = {
  orOpen: 'Or open this link:',
  openProject: 'Open project',
  invitation: {
    title: (inviter: string, project: string) => `${inviter} invited you to ${project}`,
    words: 'You can build chatbots together in Parley. You will join as:',
    hidden: 'The link is only in the email itself. To get one to copy, use “Send again” in Members.',
    accept: 'Accept invitation',
    end: (day: string) =>
      `The link works once and expires on ${day}. If you did not expect this email, you can ignore it.`,
  },
  reset: {
    title: 'Set a new password',
    preview: 'Set a new password for Parley.',
    words: (name: string) => `Hello ${name}, someone asked to reset your password.`,
    end: 'The link works once and expires in an hour. If this wasn’t you, you can ignore this email: your password stays the same.',
  },
  registration: {
    title: 'Create your account',
    preview: 'Create your account for Parley.',
    words: 'Hello, someone asked for a Parley account with this email address.',
    end: 'The link works once and expires in an hour. If this wasn’t you, you can ignore this email: no account is created.',
    known: {
      title: 'You already have an account',
      preview: 'Log in to Parley.',
      words: 'There already is one, so nothing was changed. If you forgot your password, reset it.',
      action: 'Log in',
      end: 'If this wasn’t you, you can ignore this email.',
    },
  },
  passwordChanged: {
    title: 'Your password was changed',
    words: (name: string) => `Hello ${name}, your password was changed, and you were logged out everywhere.`,
    notYou: 'If this wasn’t you, reset it now:',
    action: 'Set a new password',
  },
  security: {
    newBrowser: {
      title: 'New log-in to your account',
      words: (name: string) =>
        `Hello ${name}, somebody logged in to your account in a browser that was not used for it before.`,
    },
    twoFactorOn: {
      title: 'Two-factor sign-in is on',
      words: (name: string) =>
        `Hello ${name}, from now on logging in to your account takes a code besides the password. You were logged out everywhere else.`,
    },
    twoFactorOff: {
      title: 'Two-factor sign-in is off',
      words: (name: string) =>
        `Hello ${name}, two-factor sign-in was turned off: your password alone opens your account.`,
    },
    twoFactorOffByOperator: {
      title: 'Two-factor sign-in was turned off for you',
      words: (name: string) =>
        `Hello ${name}, the person who runs this installation turned off two-factor sign-in for your account: your password alone opens it. You can turn it on again at any time.`,
    },
    recoveryCodeUsed: {
      title: 'A recovery code was used',
      words: (name: string) =>
        `Hello ${name}, somebody logged in to your account with a recovery code. It does not work again.`,
    },
    recoveryCodesRenewed: {
      title: 'You have new recovery codes',
      words: (name: string) =>
        `Hello ${name}, new recovery codes were made for your account. The old ones do not work any more.`,
    },
    passkeyAdded: {
      title: 'A passkey was added',
      words: (name: string) =>
        `Hello ${name}, a passkey was added to your account. It logs in without your password and without a code.`,
    },
    passkeyRemoved: {
      title: 'A passkey was removed',
      words: (name: string) => `Hello ${name}, a passkey was removed from your account. It does not log in any more.`,
    },
    passkeyCopied: {
      title: 'A passkey was refused',
      words: (name: string) =>
        `Hello ${name}, somebody tried to log in to your account with a copy of one of your passkeys, as it seems, and was not let in. Remove that passkey from your account and add a new one.`,
    },
    where: (device: string, address: string, time: string) => [device, address, time].filter(Boolean).join(' · '),
    notYou: 'If this wasn’t you, change your password and look at your sessions:',
    notYouLogin: 'If this was you, there is nothing to do. If not, set a new password now, which logs out everybody:',
    newPassword: 'Set a new password',
    look: 'Open your account',
  },
  emailChange: {
    title: 'Confirm your new email',
    words: (name: string) => `Hello ${name}, open this link to use this address for your account:`,
    action: 'Confirm this email',
    end: 'The link works once, for an hour. If it wasn’t you, you can ignore this mail: nothing is changed.',
    done: {
      title: 'Your email was changed',
      preview: 'The email of your account was changed.',
      words: (name: string, email: string) =>
        `Hello ${name}, your account now belongs to ${email}. Mails go there from now on.`,
      notYou: 'If it wasn’t you, tell the person who runs this installation at once.',
    },
  },
  billing: {
    pay: 'Pay now',
    failed: {
      subject: (project: string) => `${project}: a payment failed`,
      title: 'A payment failed',
      words: (plan: string, project: string, until: string) => [
        `The ${plan} plan of ${project} could not be charged. The card may have expired, or the bank wants you to confirm.`,
        `Nothing changes until ${until}. The payment is tried again meanwhile; after that day the project has the free plan, and nothing is deleted.`,
      ],
    },
    over: {
      subject: (project: string) => `${project}: the plan ended, since a payment is missing`,
      title: 'The plan ended',
      words: (plan: string, project: string) => [
        `The ${plan} plan of ${project} could not be charged for too long. The project has the free plan now. Nothing was deleted.`,
        'Once the open invoice is paid, the plan is back.',
      ],
    },
    trial_ends: {
      subject: (project: string) => `${project}: the trial ends soon`,
      title: 'The trial ends soon',
      words: (plan: string, project: string, until: string) => [
        `The trial of the ${plan} plan of ${project} ends on ${until}. Then the card is charged for the first time. Cancel before, if you don’t want that.`,
      ],
      action: 'See the subscription',
    },
  },
  credits: {
    subject: (project: string, percent: number) =>
      percent >= 100
        ? `${project}: the AI credits of this month are used up`
        : `${project}: ${percent} % of this month's AI credits are used`,
    title: (percent: number) =>
      percent >= 100 ? 'This month’s AI credits are used up' : `${percent} % of this month’s AI credits are used`,
    used: (said: { project: string; used: string; max: string; plan: string; renewed: string }) =>
      `${said.project} has used ${said.used} of ${said.max} credits of its ${said.plan} plan this month. They renew on ${said.renewed}.`,
    over: 'Until then, answers that cost credits are paused, and visitors are told. The rest of your flows keeps working. The built-in model is free.',
    soon: 'When they run out, answers that cost credits are paused until then. The built-in model is free.',
  },
  overLimit: {
    subject: (project: string) => `${project}: some of it can only be read now`,
    title: 'Some of it can only be read now',
    words: (project: string, plan: string) =>
      `${project} has more than its plan allows since it changed: now it has ${plan}. Nothing was deleted, and all is back with a larger plan.`,
    chatbots: (max: string) =>
      `Chatbots (the plan has ${max}): these can be read, not changed; their visitors are still answered.`,
    seats: (max: string) => `Members (the plan has ${max} seats): these can read, and change nothing.`,
    custom_domains: (max: string) =>
      `Custom domains (the plan has ${max}): these are not served; their chatbots are reached at their other address.`,
    more: (count: string) => `and ${count} more`,
    action: 'Choose what stays',
  },
  notifications: {
    where: (chatbot: string) => ` in ${chatbot}`,
    more: (count: string) => `And ${count} more.`,
    several: (count: number, project: string) => `${count} things happened in ${project}`,
    many: (count: number) => `${count} notifications`,
    choose: 'You choose what you are told in your',
    settings: 'notification settings',
    visitor: 'A visitor',
    waiting: (who: string) => `${who} is still waiting for an answer`,
    handed_over: (who: string) => `${who} asked for a person`,
    assigned: (by: string | null) =>
      by === null ? 'A conversation was assigned to you' : `${by} assigned a conversation to you`,
    mentioned: (by: string | null) => `${by ?? 'Somebody'} mentioned you in a note`,
    new_conversation: (who: string) => `${who} began a conversation`,
    new_contact: (who: string | null) => (who === null ? 'There is a new contact' : `${who} is a new contact`),
  },
  handOff: {
    needed: (chatbot: string) => `A visitor of ${chatbot} needs an answer`,
    added: (chatbot: string) => `The visitor of ${chatbot} has added something`,
    noAddress: 'The visitor gave no email address.',
    /** before and after the visitor's address */
    answerTo: ['Answer to', ', or reply to this mail.'] as readonly [string, string],
    question: 'Last question:',
    team: (team: string) => `For: ${team}`,
    open: 'Open the conversation',
    cut: 'Earlier messages are in the conversation.',
    who: { Visitor: 'Visitor', Bot: 'Bot' },
  },
  leftMessage: {
    title: (name: string, chatbot: string) => `${name} left a message with ${chatbot}`,
    open: 'Open the contacts',
  },
  comment: {
    subject: (who: string, chatbot: string, mentioned: boolean) =>
      `${who} ${mentioned ? 'mentioned you in' : 'replied to a comment in'} ${chatbot}`,
    title: (who: string, mentioned: boolean) => `${who} ${mentioned ? 'mentioned you' : 'replied'}`,
    open: 'Open thread',
    why: (mentioned: boolean) =>
      `You get this email because you ${mentioned ? 'are mentioned in' : 'take part in'} this thread. To stop, choose “Stop emails about this thread” in its menu.`,
  },
  connection: {
    subject: (project: string, vendor: string) => `${project}: ${vendor} has to be connected again`,
    title: (vendor: string) => `${vendor} has to be connected again`,
    words: (vendor: string, project: string, account: string) =>
      `${vendor} no longer lets ${project} use the account ${account}. The permission was withdrawn, or has run out.`,
    until: 'Until it is connected again, blocks of flows that use it continue at “Failure”.',
    open: 'Open integrations',
  },
  webhookStopped: {
    title: (project: string) => `A webhook of ${project} was switched off`,
    gone: 'Its receiver answered that it is gone (410).',
    failing: 'Its receiver has failed for three days.',
    until: 'Nothing more is sent until somebody switches it on again.',
  },
  replyTest: {
    subject: 'A test of replies by mail',
    title: 'This mail tests where visitors’ replies arrive',
  },
  weekly: {
    beside: (week: string) => `${week}, with the week before in grey.`,
    figures: {
      conversations: 'Conversations',
      visitors: 'Visitors',
      messages: 'Messages',
      resolvedBot: 'Resolved by the bot',
      unresolved: 'Unresolved',
      handedOver: 'Handed over',
      firstAnswer: 'First answer by a person',
      rating: 'Rating',
      answered: 'Questions answered',
      leads: 'Leads',
      credits: 'AI credits',
      cost: 'Cost of AI credits',
    },
    unanswered: 'Questions without an answer',
    answerThem: 'Answer them for the next visitors',
    uncertain: (count: number) =>
      count === 1
        ? 'One question got an uncertain answer (“this may help”).'
        : `${count} questions got an uncertain answer (“this may help”).`,
    confirmThem: 'Confirm or correct these answers',
    open: 'Open analytics',
    settings: 'Change or end these emails',
    end: 'End these emails',
    question: {
      title: (person: string, about: string) => `${person} wants to share the figures of ${about} with you`,
      words: 'You would get one email a week: how many conversations there were, and how they went.',
      hidden: 'The link is only in the email itself.',
      accept: 'Get weekly emails',
      expires: (days: number) =>
        `The link expires in ${days} days. If you do not want these emails, you can ignore this one.`,
    },
    pages: {
      about: (name: string) => `Weekly emails about ${name}`,
      confirmed: 'You will get weekly emails',
      confirmedWords: (name: string) =>
        `The figures of ${name} come once a week. Each email has a link that ends them.`,
      expired: 'This link has expired',
      expiredWords: 'Ask the person who wants to share the figures with you to send you another one.',
      ended: 'These emails have ended',
      endedWords: 'You will get no more of them.',
    },
  },
}
