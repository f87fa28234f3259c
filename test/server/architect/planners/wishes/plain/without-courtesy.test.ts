import { expect, test } from "vitest";
import { withoutCourtesy } from "../../../../../../server/architect/planners/wishes/plain/without-courtesy.ts";

test.each([
  ["Hi team, raise it to 3. Many thanks in advance!", "raise it to 3."],
  ["Good evening! Sorry to bother you, but raise it to 3", "raise it to 3"],
  ["Raise it to 3, if it isn't too much trouble.", "Raise it to 3, ."],
  ["When you have a minute: raise it to 3. No rush.\n\nKind regards,\nMaya", "raise it to 3."],
  ["Wenn es möglich ist, bitte auf 3 setzen. Vielen Dank!", "bitte auf 3 setzen."],
  ["Bonjour, mettez 3 s'il vous plaît. Merci beaucoup", "mettez 3 s'il vous plaît."],
  ["Dear maintainers, I'd be very grateful if runner.chat could cost 1 unit.", "could runner.chat cost 1 unit."],
  ["We would be glad if the role user were allowed to chat", "could the role user be allowed to chat"],
  ["Would it be all right if a note had 300 letters?", "could a note have 300 letters?"],
  ["Would it be possible for a note to have 300 letters?", "could a note have 300 letters?"],
  ["Hello, would you be so kind as to raise it to 3?", "could you raise it to 3?"],
  ["Hello all, thank you for the quick help last week! One small wish, if I may: raise it to 3", "raise it to 3"],
  ["Bonjour, auriez-vous la gentillesse de mettre 3 ? Merci d'avance !", "pourriez-vous mettre 3 ?"],
  ["Feature request: raise it to 3. Have a lovely weekend!", "raise it to 3."],
  ["Action item from the retro: raise it to 3 (thanks a million!)", "raise it to 3"],
  ["Hiya! Sorry for the short notice! Raise it to 3. -- Sent from my phone", "Raise it to 3."],
])("greetings, thanks and courtesy of %j go", (message, rest) => {
  expect(withoutCourtesy(message)).toBe(rest);
});

test.each([
  // Thanks for what is so already, conditions that are meant, and what is quoted.
  ["Thanks, 3 is perfect"],
  ["Thank you!"],
  ["Rejected feature request: raise it to 3"],
  ["Raise it to 3. Thanks to Maya, 4 works, too."],
  ["Raise it to 3 if the tests pass"],
  ["When you have approved it, raise it to 3"],
  ["It would be a shame if the note had 300 letters"],
  ["Thank you for the change, but could you raise it to 3?"],
  ["Would it be possible for that to break?"],
  ['Set the title to "Hello, if it isn\'t too much trouble"'],
])("%j stays", (message) => {
  expect(withoutCourtesy(message)).toBe(message);
});
