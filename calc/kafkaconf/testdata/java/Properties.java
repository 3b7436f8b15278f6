import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Writes what java.util.Properties reads from many small files, one JSON object a line: the oracle of
 * TestPropertiesAsJava. Run it as
 *
 *     java Properties.java > properties.jsonl
 */
public class Properties {
    static final List<String> WRITTEN = List.of(
        "", "\n", "a", "a=", "a:", "a b", "a = b", "a : b", "a=:b", "a==b", "a:=b", "a = = b", "  a=b", "\ta\t=\tb\t",
        "a=b \t\f", "a=b\r\nc=d\r\n", "a=b\rc=d", "a=b\n\n\nc=d", "#a=b\n!c=d\n e=f", " #a=b", " ! a=b",
        "a=b#c", "a=b # c", "a#b=c", "a=1\na=2", "a=\\\n1", "a=1,\\\n   2,\\\r\n\t3", "a=1\\\n\nb=2", "a=1\\\n   \nb=2",
        "a=1\\\n#2", "a\\\nb=2", "a\\\n  b=2", "\\\n#c=1\nd=2", "\\\n\\\n a=1", "\\", "\\\n", "\\\r\n", "a=1\\", "a=1\\\n",
        "a=1\\\\\nb=2", "a=1\\\\\\\nb=2", "a\\=b=c", "a\\:b=c", "a\\ b=c", "a\\\\=c", "=v", ":v", " = v", "a=\\t\\n\\r\\f\\q\\\"",
        "a=\\u0041\\u00e9", "\\u0061=1", "a=\\ud83d\\ude00", "a=\\u12", "a=\\u12g4", "a=\\U0041", "a=C:\\\\data,D:\\\\x",
        "log.dirs=C:\\kafka\\new", "a=#", "a=!", "a\u000b=1", "a\0=1", "log.retention.hours 168 ", "a=b\\ ", "a=b\\\t c");

    static final String ALPHABET = "ab=:# !\\\\\\\n\n\r\t\fu0041";

    public static void main(String[] args) {
        for (String text : WRITTEN) print(text);
        Random random = new Random(1);
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = 1 + random.nextInt(24); n > 0; n--) text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            print(text.toString());
        }
    }

    static void print(String text) {
        // A map that keeps the order of the keys' first appearance and counts nothing: what load puts, in order.
        StringBuilder entries = new StringBuilder();
        java.util.Properties properties = new java.util.Properties() {
            @Override
            public synchronized Object put(Object key, Object value) {
                entries.append(entries.length() == 0 ? "" : ",");
                entries.append("[").append(quote((String) key)).append(",").append(quote((String) value)).append("]");
                return super.put(key, value);
            }
        };
        String error = "";
        try {
            properties.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (Exception e) {
            error = e.getMessage();
        }
        System.out.println("{\"text\":" + quote(text) + ",\"entries\":[" + entries + "],\"error\":" + quote(error) + "}");
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || c > '~') out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }
}
