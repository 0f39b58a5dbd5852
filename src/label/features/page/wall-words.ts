/** Measures how much of a page's text asks for a login or says that the page cannot be shown. */

/**
 * Words of login forms and error pages, in lower case, as their labels, buttons and messages have them. Words that are
 * as frequent in other texts ("error", "home", "register") are left out.
 */
export const WALL_WORDS = [
  // Login, registration, forgotten passwords.
  "password, passwort, passwd, kennwort, passcode, username, user name, user id, login, log in, log-in, sign in, sign-in",
  "remember me, keep me signed in, stay signed in, already have an account, don't have an account, benutzername, anmelden",
  "angemeldet bleiben, mot de passe, nom d'utilisateur, se connecter, contraseña, contrasinal, nombre de usuario, iniciar sesión",
  "senha, nome de usuário, accedi, nome utente, wachtwoord, gebruikersnaam, inloggen, adgangskode, brugernavn, log ind",
  "lösenord, användarnamn, logga in, passord, brukernavn, salasana, käyttäjätunnus, kirjaudu, hasło, hasła, zaloguj, heslo",
  "přihlásit, přihlášení, jelszó, felhasználónév, bejelentkezés, parola, şifre, kullanıcı adı, giriş yap, slaptažod, пароль",
  "логин, войти, увійти, κωδικός πρόσβασης, סיסמה, كلمة المرور, تسجيل الدخول, पासवर्ड, รหัสผ่าน, mật khẩu, đăng nhập",
  "kata sandi, 密码, 密碼, 登录, 登錄, 登入, 用户名, 验证码, パスワード, ログイン, 비밀번호, 로그인",
  // Pages that do not exist, or that this reader may not see.
  "404 not found, error 404, 404 error, page not found, page was not found, page cannot be found, page could not be found",
  "page can't be found, page can’t be found, page you requested, page you are looking for, page you were looking for, no longer exists",
  "requested url, access denied, 403 forbidden, temporarily unavailable, enable javascript, enable cookies",
  "verify you are human, security of your connection, under maintenance, performing some maintenance, nothing was found at this",
  "no products were found, account has been suspended, seite existiert, seite nicht gefunden, nicht gefunden, zugriff verweigert, page introuvable, est introuvable",
  "accès refusé, no encontrada, acceso denegado, não encontrada, acesso negado, pagina non trovata, accesso negato",
  "pagina niet gevonden, siden blev ikke fundet, siden ble ikke funnet, kunde inte hittas, sivua ei löytynyt",
  "nie znaleziono, nebyla nalezena, az oldal nem található, sayfa bulunamadı, страница не найдена, доступ запрещён",
  "сторінку не знайдено, δεν βρέθηκε, הדף לא נמצא, الصفحة غير موجودة, पृष्ठ नहीं मिला, ไม่พบหน้า, không tìm thấy trang",
  "halaman tidak ditemukan, 页面不存在, 找不到页面, 找不到網頁, ページが見つかりません, 페이지를 찾을 수 없습니다",
].flatMap((words) => words.split(", "));

/** A match may be the beginning of a word ("logins"), but must not follow an ASCII letter or digit ("blog in"). */
const WALL = new RegExp(`(?:^|[^a-z0-9])(?:${WALL_WORDS.join("|")})`);

/** The most characters of a line that may match. A longer line is a paragraph, which may be about passwords. */
const LONGEST = 200;
/** The largest share of a page's text that a login box beside other content has; only more counts against the page. */
const USUAL = 0.15;

/**
 * Returns by how much the share of text that asks for a login, or says that the page cannot be shown, exceeds the usual
 * share: from 0 to .85. Lines that are at least half links are skipped, because menus on any page link to a login.
 * Copies of a line are skipped too.
 */
export function excessOfWalls(
  lines: readonly { readonly text: string; readonly linkChars?: number }[],
): number {
  const seen = new Set<string>();
  let all = 0;
  let walls = 0;
  for (const { text, linkChars = 0 } of lines) {
    if (2 * linkChars >= text.length || seen.has(text)) continue;
    seen.add(text);
    all += text.length;
    if (text.length <= LONGEST && WALL.test(text.toLowerCase())) walls += text.length;
  }
  return all === 0 ? 0 : Math.max(0, walls / all - USUAL);
}
